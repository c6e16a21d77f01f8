"""Which instances train and which are answered for: splits, open sets, preprocessing."""
