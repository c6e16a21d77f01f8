"""The mirror of a tree and how it answers; trees as text and graphs in `shown/`; the contract of learners."""
