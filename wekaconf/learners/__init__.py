"""Growers that are not Weka's, `cart/` and `info_gain/`; `foreign/` imports trees that other programs grew."""
