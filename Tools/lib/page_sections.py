"""The sections that scripts write: of docs/internals/Performance.md, where Tools/bench peers keeps those of other scripts, and
of README.md."""


class Section:
    """A section between two marks."""

    def __init__(self, begin, end):
        self.begin, self.end = f"<!-- {begin} -->", f"<!-- {end} -->"

    @classmethod
    def of(cls, script):
        """A section that a script writes. The marks name the script."""
        return cls(f"Written by {script}: change that, and run it again.", f"The end of what {script} has written.")

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
        page.write_text(f"{before}{self.begin}\n{content}\n{self.end}{rest.split(self.end, 1)[1]}")


FILES = Section.of("Tools/bench files")
TRANSITIONS = Section.of("Tools/bench transitions")
EFFECTS = Section.of("Tools/bench effects")
PIXEL_FORMATS = Section.of("Tools/bench formats")
GPU = Section.of("Tools/bench gpu")
PYTHON = Section.of("Tools/bench python")
BY_HAND = Section("Recorded by hand. Tools/bench peers keeps this part.", "The end of what was recorded by hand.")
README = Section.of("Tools/bench readme")
