"""Growers that are not Weka's, `cart/` and `info_gain/`; `foreign/` mirrors trees that other programs grew."""

from importlib import import_module

for _name in ("cart", "info_gain"):
    import_module(f"{__name__}.{_name}")
