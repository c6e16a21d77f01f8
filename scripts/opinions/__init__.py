"""How second opinions are measured: halves of the data sets, splits, figures, and tests between schemes."""
