"""Files with which other programs answer as a model does, without wekaconf; one module per format."""
