"""The mirror of a tree: its arrays, the rules by which it answers, and which training instances reach which node."""
