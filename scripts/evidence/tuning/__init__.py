"""The study with parameters that are chosen inside each training part; its store depends on this folder, too."""
