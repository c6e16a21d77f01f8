"""Presentations of a tree: its heading, its leaves, the layout of a drawing, the drawing, and HTML for notebooks."""
