"""The inducer of TPCE: trees by information gain, whole, only where an instance goes, or for all instances at once."""
