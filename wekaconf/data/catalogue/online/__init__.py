"""Data sets fetched over the network, verified and converted; apart, since few commands need it."""

from wekaconf.data.catalogue.online._fetching import deliver, fetch
from wekaconf.data.catalogue.online._transfer import PATIENCE, OnBytes, Patience, UnreachableError, download

__all__ = ["PATIENCE", "OnBytes", "Patience", "UnreachableError", "deliver", "download", "fetch"]
