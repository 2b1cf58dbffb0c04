#!/usr/bin/env python3
"""Makes a DocC catalogue of the pages in docs/. The front page of the catalogue has the same groups as docs/README.md.

    docs_catalog.py DOCS CATALOGUE
"""

import re
import shutil
import sys
from pathlib import Path

DOCS, CATALOGUE = Path(sys.argv[1]), Path(sys.argv[2])
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def article_name(stem):
    """Returns the name of a page in the catalogue. No Swift symbol has such a name."""
    return f"Page-{stem}"


def link(match):
    """Returns a link or a picture in DocC's form. A link to a file that the site does not have, such as a page of
    docs/internals, becomes plain text, and so does a WebP picture, which DocC does not know."""
    picture, text, target = match.groups()
    if re.match(r"[a-z]+:", target):
        return match[0]
    path, _, _ = target.partition("#")
    if picture and path.endswith(".webp"):
        return text
    if picture:
        return f"![{text}]({Path(path).name})"
    stem = Path(path).stem
    if path.endswith(".md") and "/" not in path and (DOCS / path).exists() and stem != "README":
        return f"[{text}](doc:{article_name(stem)})"
    return text


def article(path):
    text = re.sub(r"<!--.*?-->\n?", "", path.read_text(), flags=re.S)
    # Code is left unchanged, because it may contain characters that only look like a link.
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.S | re.M)
    return "".join(part if index % 2 else LINK.sub(link, part) for index, part in enumerate(parts))


def front():
    """Returns the page of the module. The lists of pages in docs/README.md are the topics of this page."""
    lines = ["# ``Frost``", "", "Blur images on a GPU or the CPU.", "", "## Overview", "",
             "``Renderer`` applies effects to images in memory. ``/FrostImages`` reads and writes picture files.", "", "## Topics"]
    for group in re.split(r"^## ", (DOCS / "README.md").read_text(), flags=re.M)[1:]:
        # The pages of docs/internals are not part of the catalogue.
        pages = re.findall(r"\]\(([\w-]+)\.md\)", group)
        if pages:
            lines += ["", "### " + group.splitlines()[0], "", *(f"- <doc:{article_name(name)}>" for name in pages)]
    return "\n".join(lines) + "\n"


def main():
    CATALOGUE.mkdir(parents=True)
    for path in sorted(DOCS.glob("*.md")):
        if path.stem != "README":
            (CATALOGUE / f"{article_name(path.stem)}.md").write_text(article(path))
    (CATALOGUE / "Frost.md").write_text(front())
    for path in sorted((DOCS / "images").iterdir()):
        if path.is_file() and path.suffix != ".webp":
            shutil.copy(path, CATALOGUE / path.name)


main()
