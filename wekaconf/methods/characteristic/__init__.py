"""ID3-SD and ID3-Max: instances whose values lie outside the limits of their leaf are rejected (Davidsson 1996)."""

from wekaconf.methods.characteristic._id3_max import ID3Max
from wekaconf.methods.characteristic._id3_sd import ID3SD
from wekaconf.methods.characteristic._learning import normal_quantile
from wekaconf.methods.characteristic._limits import LimitTest, alpha_of

__all__ = ["ID3SD", "ID3Max", "LimitTest", "alpha_of", "normal_quantile"]
