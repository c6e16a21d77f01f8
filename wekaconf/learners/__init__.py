"""Growers that are not Weka's, `cart/` and `info_gain/`; `foreign/` mirrors trees that other programs grew."""
