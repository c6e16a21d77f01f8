"""Our methods inside Weka: what its classifiers of ours ask of Python."""
