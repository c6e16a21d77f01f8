"""Davidsson 1996: ID3-SD and ID3-Max."""
