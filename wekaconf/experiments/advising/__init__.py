"""Which method earns its keep on a data set, for a purpose."""
