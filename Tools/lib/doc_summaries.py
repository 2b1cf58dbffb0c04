#!/usr/bin/env python3
"""Prints the public symbols that have no summary. Exits with 1 if there are any.

    doc_summaries.py FOLDER       with symbol graphs of swift-symbolgraph-extract
"""

import json
import sys
from pathlib import Path

# Symbols that need no summary, because the compiler makes them or a protocol of Swift defines them.
MADE = {"init(from:)", "encode(to:)", "hash(into:)", "hashValue", "==(_:_:)", "!=(_:_:)", "init(rawValue:)", "rawValue",
        "RawValue", "AllCases", "allCases", "id", "description", "debugDescription", "Iterator", "Element",
        "makeAsyncIterator()", "next()", "<(_:_:)"}


def missing(folder):
    for path in sorted(Path(folder).glob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            lines = symbol.get("docComment", {}).get("lines", [])
            name = symbol["pathComponents"][-1]
            if name in MADE or any(line["text"].strip() for line in lines):
                continue
            place = symbol.get("location", {})
            if not place:
                continue
            file = place["uri"].split("/Sources/")[-1]
            yield f"Sources/{file}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])} has no summary"


def main():
    found = sorted(set(missing(sys.argv[1])))
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    sys.exit(1 if found else 0)


main()
