"""OpenDocument spreadsheets, written row by row."""

import datetime
import zipfile

CONTENT = (
    '<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"><office:body>'
    "<office:spreadsheet>{}</office:spreadsheet></office:body></office:document-content>"
)
TYPE = "application/vnd.oasis.opendocument.spreadsheet"
MANIFEST = (
    '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{TYPE}"/></manifest:manifest>'
)
EMPTY_BELOW = (  # as LibreOffice ends a sheet
    '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/>'
    "</table:table-row>"
)


def ods_row(row, repeated=1):
    cells = []
    for cell in row:
        text = str(cell).replace("&", "&amp;").replace("<", "&lt;")
        if cell is None:
            cells.append("<table:table-cell/>")
        elif isinstance(cell, bool):
            cells.append(f'<table:table-cell office:value-type="boolean" office:boolean-value="{text.lower()}"/>')
        elif isinstance(cell, datetime.datetime):
            cells.append(f'<table:table-cell office:value-type="date" office:date-value="{cell.isoformat()}"/>')
        elif isinstance(cell, str):
            cells.append(f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>')
        else:
            cells.append(f'<table:table-cell office:value-type="float" office:value="{text}"/>')
    return f'<table:table-row table:number-rows-repeated="{repeated}">{"".join(cells)}</table:table-row>'


def write_ods(path, sheets, below=EMPTY_BELOW):
    bodies = [
        f'<table:table table:name="{name}">{"".join(map(ods_row, rows))}{below}</table:table>'
        for name, rows in sheets.items()
    ]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", TYPE)
        archive.writestr("content.xml", CONTENT.format("".join(bodies)))
        archive.writestr("META-INF/manifest.xml", MANIFEST)
