"""The text of a PDF as Chromium writes it."""

import re
import zlib

PART = re.compile(rb"(\d+) 0 obj\s(.*)", re.DOTALL)
SHOWN = re.compile(rb"/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)> Tj|(BT)")


def pdf_text(pdf):
    """The words of all pages, in the order in which they are drawn; one line per piece of text."""
    parts = {number: body for number, body in (PART.search(part).groups() for part in pdf.split(b"endobj")[:-1])}
    letters_of = {
        name: _letters(_stream(parts[re.search(rb"/ToUnicode (\d+) 0 R", parts[number]).group(1)]))
        for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", pdf)
    }
    lines = [""]
    for part in parts.values():
        letters = {}
        for font, text, begin in SHOWN.findall(_stream(part)):
            letters = letters_of[font] if font else letters
            if begin:
                lines.append("")
            lines[-1] += "".join(letters.get(int(text[i : i + 4], 16), "?") for i in range(0, len(text), 4))
    return "\n".join(lines)


def _stream(part):
    """The bytes that an object of the file holds, of those that are compressed."""
    head, _, body = part.partition(b"stream\n")
    return zlib.decompress(body.partition(b"\nendstream")[0]) if b"/FlateDecode" in head else b""


def _letters(table):
    """What each code of a font means."""
    letters = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, text in re.findall(rb"<(\w+)> <(\w+)>", block):
            letters[int(code, 16)] = bytes.fromhex(text.decode()).decode("utf-16-be")
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for first, last, text in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", block):
            for i in range(int(last, 16) - int(first, 16) + 1):
                letters[int(first, 16) + i] = chr(int(text, 16) + i)
    return letters
