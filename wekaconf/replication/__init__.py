"""Reproductions of the papers' printed tables, flaws included; they are not methods and are always labelled."""
