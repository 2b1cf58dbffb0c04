"""The sections of docs/Performance.md that scripts of their own write and Tools/bench-peers keeps."""


class Section:
    """A section between two marks, which name the script that writes it."""

    def __init__(self, script):
        self.begin = f"<!-- Written by {script}: change that, and run it again. -->"
        self.end = f"<!-- The end of what {script} has written. -->"

    def current(self, page):
        """Returns a page's current section with its marks, or only the marks if the page has no such section."""
        text = page.read_text() if page.exists() else ""
        if self.begin not in text:
            return f"{self.begin}\n{self.end}"
        return self.begin + text.split(self.begin, 1)[1].split(self.end, 1)[0] + self.end

    def replace(self, page, content):
        """Replaces the content of a page's section. The page must already have such a section."""
        text = page.read_text()
        before, rest = text.split(self.begin, 1)
        page.write_text(f"{before}{self.begin}\n\n{content}\n\n{self.end}{rest.split(self.end, 1)[1]}")


FILES = Section("Tools/bench-files")
TRANSITIONS = Section("Tools/bench-transitions")
PIXEL_FORMATS = Section("Tools/bench-formats")
GPU = Section("Tools/bench-gpu")
