"""The mirror of a tree: its arrays, how it answers, and which training instances reach which node."""
