"""Costa et al. 2013: TPCE and its rivals."""
