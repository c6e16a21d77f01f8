"""Trees by information gain, grown by an inducer of our own that can withhold an instance's values."""

from wekaconf.learners.info_gain.grow import InfoGain, InfoGainBagging

__all__ = ["InfoGain", "InfoGainBagging"]
