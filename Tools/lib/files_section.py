"""The part of docs/Performance.md that Tools/bench-files writes and Tools/bench-peers keeps."""

BEGIN = "<!-- Written by Tools/bench-files: change that, and run it again. -->"
END = "<!-- The end of what Tools/bench-files has written. -->"


def files_section(page):
    """A page's current part with its marks; only the marks if it has no such part."""
    text = page.read_text() if page.exists() else ""
    if BEGIN not in text:
        return f"{BEGIN}\n{END}"
    return BEGIN + text.split(BEGIN, 1)[1].split(END, 1)[0] + END


def replace_files_section(page, content):
    """Replaces the part of a page, which must have one, by content."""
    text = page.read_text()
    before, rest = text.split(BEGIN, 1)
    page.write_text(f"{before}{BEGIN}\n\n{content}\n\n{END}{rest.split(END, 1)[1]}")
