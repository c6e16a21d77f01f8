"""Wang and Zhang 2006: shrinkage and WPE."""
