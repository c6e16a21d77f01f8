"""The methods as Weka's own classifiers: the package, the process that answers Weka, and their messages."""
