"""Files with which other programs answer as a model does, without wekaconf; one module per format."""

from wekaconf.model.export._exported_model import can_export
from wekaconf.model.export._formats import FORMATS
from wekaconf.model.export._sql_dialects import DIALECTS

__all__ = ["DIALECTS", "FORMATS", "can_export"]
