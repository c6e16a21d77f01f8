"""Elements, texts and tables of HTML."""

from html.parser import HTMLParser

VOID = ("br", "hr", "img", "input", "link", "meta", "wbr")


class ParsedHtml(HTMLParser):
    """What HTML holds, each in its order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.rows, self.is_balanced, self._open = [], [], [], True, []
        self.feed(text)
        self.close()
        self.is_balanced &= not self._open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.is_balanced &= bool(self._open) and self._open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data.strip())
        if self.rows and {"td", "th"} & {*self._open}:
            self.rows[-1][-1] += data

    @property
    def tags(self):
        return [tag for tag, _ in self.elements]

    @property
    def text(self):
        return " ".join(self.texts)

    @property
    def links(self):
        return self.values_of("href", "src", "srcset", "action", "data")

    @property
    def handlers(self):
        """Attributes that run something, or style one element."""
        return [name for _, given in self.elements for name in given if name.startswith("on") or name == "style"]

    def values_of(self, *names):
        return [value for _, given in self.elements for name, value in given.items() if name in names]
