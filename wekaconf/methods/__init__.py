"""The published methods, one file or folder each, independent of one another; `contract/` says what a method is."""
