"""Presentations of a tree: its heading, its leaves, the layout of a drawing, the drawing, and HTML for notebooks.

What `TreeMirror.plot` and the HTML of notebooks need may not lie above the mirror, so it stands here, and reads a
`RoutedTree`: arrays and router are all that a picture needs. The forms for files are in ``wekaconf.report.trees``.
"""
