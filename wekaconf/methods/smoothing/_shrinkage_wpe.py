"""Shrinkage and weighted probability estimation combined."""

from __future__ import annotations

from wekaconf.methods.smoothing._base import PathMethod


class ShrinkageWPE(PathMethod, name="shrinkage_wpe"):
    """An interpolation of the WPE estimates of all nodes on the path, from a uniform node above the root to the leaf.

    Notes
    -----
    P(c | e) = Σ_i w_c^i P^i(c | e) with P^i by Equation 6 and P^0 = 1 / |D_1|. While DIW learns the weights, the
    instance x is left out of every node, and its class is compared as one more attribute, since it is known. EM does
    not compare the class, since it learns from it. Answers never compare the class.

    Cost: fit O(instances · depth · classes · (depth + attributes)) for one iteration; prediction O(depth · attributes ·
    classes) per instance, whatever the number of training instances. Memory: sparse tables, and depth · classes weights
    per leaf.

    **Departures** from the paper: the scores are normalised over the classes. A missing value equals no value, not even
    another missing one. For empty leaves, instances with missing values, and instance weights, see `shrinkage`. The
    paper's printed figures compare the class of the test instance as well, which is not done here: see
    `wekaconf.replication`.

    References
    ----------
    Wang, Zhang: Improving the ranking performance of decision trees, ECML 2006, section 5, Equations 2 to 6 and
    Algorithm DIW. McCallum, Rosenfeld, Mitchell, Ng: Improving text classification by shrinkage in a hierarchy of
    classes, ICML 1998, for EM.
    """

    display_name = "shrinkage with WPE"
    reference = "wang2006"
