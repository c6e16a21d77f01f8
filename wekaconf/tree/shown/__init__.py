"""How a tree shows itself: what is said of its leaves, its boxes and lines, a drawing, and HTML for notebooks."""
