"""The part of docs/Performance.md that Tools/bench-files writes and Tools/bench-peers leaves as it is."""

BEGIN = "<!-- Written by Tools/bench-files: change that, and run it again. -->"
END = "<!-- The end of what Tools/bench-files has written. -->"


def files_section(page):
    """The part as it stands in a page, with its marks; empty but for them where there is none."""
    text = page.read_text() if page.exists() else ""
    if BEGIN not in text:
        return f"{BEGIN}\n{END}"
    return BEGIN + text.split(BEGIN, 1)[1].split(END, 1)[0] + END


def replace_files_section(page, content):
    """Puts content in the place of the part. The page has to have one."""
    text = page.read_text()
    before, rest = text.split(BEGIN, 1)
    page.write_text(f"{before}{BEGIN}\n\n{content}\n\n{END}{rest.split(END, 1)[1]}")
