"""Checks that the documentation stays short enough to be read. Tools/check runs this script.

A word is a part of a line between spaces that has a letter or a digit. The pages that are looked up and not read, which
scripts write, do not count: the reference and the catalogue of effects.

Prints the pages with their words, and exits with 1 if a part is too long.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True

ROOT = Path(__file__).resolve().parents[2]
LOOKED_UP = {"Reference.md", "Catalogue.md"}
# The pages for users, and all pages.
LONGEST_FOR_USERS, LONGEST = 25_000, 55_000


def words(page):
    return sum(any(letter.isalnum() for letter in word) for word in page.read_text(encoding="utf-8").split())


def total(title, pages):
    counts = sorted((words(page), page.relative_to(ROOT)) for page in pages if page.name not in LOOKED_UP)
    for count, page in counts:
        print(f"{count:6} {page}")
    result = sum(count for count, _ in counts)
    print(f"{result:6} {title}\n")
    return result


def main():
    users = total("words for users", [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    rest = total("words on how Frost works", (ROOT / "docs/internals").glob("*.md"))
    print(f"{users + rest:6} words in all; allowed are {LONGEST}, and {LONGEST_FOR_USERS} for users")
    return users > LONGEST_FOR_USERS or users + rest > LONGEST


if __name__ == "__main__":
    sys.exit(main())
