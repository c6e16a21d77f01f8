"""What mypy knows of learners and the trees that they grow; mypy reads it, nothing runs it.

Strict settings make an unused ``type: ignore`` an error, so that each of them says that mypy refuses the line.
"""

from typing import assert_type

import wekaconf as wc

data = wc.load_arff("iris.arff")
assert_type(wc.grow(data), wc.TreeMirror)
assert_type(wc.grow(data, "CART", "prune=none"), wc.TreeMirror)
assert_type(wc.grow(data, "RandomForest", ["-I", "5"]), wc.Forest)
assert_type(wc.grow(data, "weka.classifiers.trees.J48 -C 0.1"), wc.TreeMirror | wc.Forest)
assert_type(wc.grow(data, ["J48", "-C", "0.1"]), wc.TreeMirror | wc.Forest)
assert_type(wc.grow(data, wc.J48("-C 0.1")), wc.TreeMirror)
assert_type(wc.grow(data, wc.Bagging(["-I", "5"])), wc.Forest)
assert_type(wc.CART(prune="none", min_leaf=3).grow(data), wc.TreeMirror)
assert_type(wc.InfoGainBagging(bags="k", min_weight=3).grow(data), wc.Forest)

wc.CART(prune="weakest")  # type: ignore[arg-type]
wc.CART(pruned="cv")  # type: ignore[call-arg]
wc.CART("cv")  # type: ignore[call-arg]
wc.J48(5)  # type: ignore[arg-type]
wc.grow(data, wc.J48(), "-M 5")  # type: ignore[call-overload]
