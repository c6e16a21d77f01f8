"""Public data sets by name: where they are, how they come here, and where they are then found."""
