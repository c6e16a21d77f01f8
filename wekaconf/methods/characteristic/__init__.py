"""ID3-SD and ID3-Max: instances whose values lie outside the limits of their leaf are rejected (Davidsson 1996)."""

from wekaconf.methods.characteristic.base import LimitMethod
from wekaconf.methods.characteristic.id3_max import ID3Max
from wekaconf.methods.characteristic.id3_sd import ID3SD
from wekaconf.methods.characteristic.learning import normal_quantile
from wekaconf.methods.characteristic.limits import LimitTest, alpha_of
from wekaconf.methods.characteristic.of_classes import CharacteristicLimits, characteristic_limits

__all__ = [
    "ID3SD", "CharacteristicLimits", "ID3Max", "LimitMethod", "LimitTest", "alpha_of", "characteristic_limits",
    "normal_quantile",
]  # fmt: skip
