"""The section of docs/Performance.md that Tools/bench-files writes and Tools/bench-peers keeps."""

BEGIN = "<!-- Written by Tools/bench-files: change that, and run it again. -->"
END = "<!-- The end of what Tools/bench-files has written. -->"


def files_section(page):
    """Returns a page's current section with its marks, or only the marks if the page has no such section."""
    text = page.read_text() if page.exists() else ""
    if BEGIN not in text:
        return f"{BEGIN}\n{END}"
    return BEGIN + text.split(BEGIN, 1)[1].split(END, 1)[0] + END


def replace_files_section(page, content):
    """Replaces the content of a page's section. The page must already have such a section."""
    text = page.read_text()
    before, rest = text.split(BEGIN, 1)
    page.write_text(f"{before}{BEGIN}\n\n{content}\n\n{END}{rest.split(END, 1)[1]}")
