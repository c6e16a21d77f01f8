"""Instances in: the dataset and its header, ARFF, table files, data frames, costs; public data sets in `catalogue/`."""
