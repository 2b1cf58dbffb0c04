#!/usr/bin/env python3
"""Finds functions that the optimiser of Swift 6.3 makes read freed memory.

    check_consuming.py FILE.swift...

A function owns a value of a noncopyable type, as a `consuming` parameter or as the `self` of a `consuming` method. It copies
a part of the value, then passes the whole value to a consuming function, and then uses the copy. The optimiser turns the copy
into a borrow of the value that is gone; see "A fault of the optimiser" in docs/internals/Reliability.md. The remedy is to take the part
by a method that is marked `@inline(never)` and does not consume.

Exits with 1 and names the lines if there are any.
"""

import re
import sys

FUNCTION = re.compile(r"\b(?:(consuming)\s+)?(?:func\s+(`?\w+`?)|init\??)[^{}()]*\(")


def closing(text, start, pair):
    """Returns the index after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == pair[0]) - (text[index] == pair[1])
        if depth == 0:
            return index + 1
    return len(text)


def blanked(text):
    """Returns the text with comments and string literals replaced by spaces, so that positions stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"'
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.S)


def functions(text):
    """Yields each function's name, whether it consumes self, its parameters and the range of its body."""
    for match in FUNCTION.finditer(text):
        end = closing(text, match.end() - 1, "()")
        head = re.match(r"[^{}]*?\{", text[end:])
        if head and "\n\n" not in head.group() and "func " not in head.group():
            start = end + head.end()
            yield match.group(2), match.group(1) is not None, text[match.end():end - 1], (start, closing(text, start - 1, "{}"))


def copies(body, owner, known):
    """Yields the name and position of each constant that is a copy of a part of the owner."""
    prefix = rf"{owner}\." if owner != "self" else r"(?:self\.)?"
    for match in re.finditer(rf"\b(?:let|var)\s+(\w+)(?:\s*:[^=\n]+)?\s*=\s*({prefix}\w+(?:\.\w+)*)[ \t]*(?=\n|;|\}})", body):
        if owner == "self" and match.group(2).split(".")[0] in known:
            continue
        yield match.group(1), match.end()
    for match in re.finditer(r"\b(?:let|var)\s+\(([\w, ]+)\)\s*=\s*\(([^()]*)\)", body):
        for name, value in zip(match.group(1).split(","), match.group(2).split(",")):
            value = value.strip()
            if re.fullmatch(rf"{prefix}\w+(?:\.\w+)*", value) and not (owner == "self" and value.split(".")[0] in known):
                yield name.strip(), match.end()


def consumptions(body, owner, methods):
    """Yields the position after each call that takes the owner away."""
    names = "|".join(sorted(methods))
    if owner == "self":
        pattern = rf"(?<![\w.])(?:self\.)?(?:{names})\(|[(,:]\s*(?:consume\s+)?self\s*[,)]"
    else:
        pattern = rf"\b{owner}\.(?:{names})\(|[(,:]\s*(?:consume\s+)?{owner}\s*[,)]|\bconsume\s+{owner}\b"
    for match in re.finditer(pattern, body):
        yield match.end()


def faults(text, methods):
    for name, consumes, parameters, (start, end) in functions(text):
        body = text[start:end]
        owned = re.findall(r"(\w+)\s*:\s*(?:consuming|__owned)\b", parameters)
        labels = set(re.findall(r"(\w+)\s*:", parameters))
        known = labels | set(re.findall(r"\b(?:let|var)\s+(\w+)", body[:0]))
        for owner in owned + (["self"] if consumes else []):
            for copy, place in copies(body, owner, known):
                later = [after for after in consumptions(body, owner, methods) if after > place]
                # Arguments of the consuming call itself are evaluated before it.
                if later and re.search(rf"(?<![\w.]){copy}\b(?!\s*:)", body[closing(body, body.rfind('(', 0, later[0]), "()"):]):
                    yield start + place, name, copy, owner


def main():
    texts = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            texts[path] = blanked(file.read())
    methods = {name for text in texts.values() for name, consumes, _, _ in functions(text) if consumes and name}
    found = 0
    for path, text in texts.items():
        for place, name, copy, owner in faults(text, methods):
            line = text.count("\n", 0, place) + 1
            print(f"{path}:{line}: {name} uses '{copy}', a copy of a part of '{owner}', after '{owner}' was consumed")
            found += 1
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
