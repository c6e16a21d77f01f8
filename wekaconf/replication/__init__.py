"""What reproduces the printed tables of the papers, flaws and all; never a method, always labelled."""
