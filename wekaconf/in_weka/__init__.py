"""The methods as Weka's own classifiers: the package, the process that answers Weka, and their messages.

A second implementation in Java would be a second truth. So the classifiers are shells, which
``scripts/build_classifiers.py`` writes from what the Python classes declare, and Python fits and answers. What was
fitted is kept in the Java object as the bytes of a model file: copies and serialisation need no code, and a ``.model``
of a stranger is checked as any model file is. Learners of our own are shells, too, since TPCE and Kukar–Kononenko read
trees of ``info_gain`` only.
"""
