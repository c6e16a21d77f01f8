"""Files with which other programs answer as a model does, without wekaconf; one module per format."""

from wekaconf.model.export.exported_model import can_export
from wekaconf.model.export.formats import FORMATS
from wekaconf.model.export.sql_dialects import DIALECTS

__all__ = ["DIALECTS", "FORMATS", "can_export"]
