"""Mirrors of trees that others have grown and saved: scikit-learn's estimators and Weka's model files."""
