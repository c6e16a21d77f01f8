"""ID3-SD and ID3-Max: limits of the attribute values at the leaves reject what is unlike them (Davidsson 1996)."""

from wekaconf.methods.characteristic.id3_max import ID3Max
from wekaconf.methods.characteristic.id3_sd import ID3SD

__all__ = ["ID3SD", "ID3Max"]
