"""A method on a tree, by name; a fitted model, in memory and as a file."""
