"""Trees by information gain, grown by an inducer of our own that can withhold an instance's values."""
