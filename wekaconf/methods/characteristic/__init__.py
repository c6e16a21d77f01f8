"""ID3-SD and ID3-Max: instances whose values lie outside the limits of their leaf are rejected (Davidsson 1996)."""

from wekaconf.methods.characteristic.id3_max import ID3Max
from wekaconf.methods.characteristic.id3_sd import ID3SD

__all__ = ["ID3SD", "ID3Max"]
