"""Who trains and who is asked: splits, open sets, preprocessing."""
