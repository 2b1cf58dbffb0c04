"""Writes two C files that describe the interface of a header, for Tools/abi.

    abi_stubs.py FOLDER HEADER

FOLDER contains the file HEADER and those that it includes. stubs.c defines each function of the header, without content. layout.c is a program that prints the
constants, and the type, offset and size of each field of a struct.
"""

import re
import sys
from pathlib import Path

from c_headers import header_text


def declarations(body):
    """Returns the fields of a struct as pairs of a type and a name, such as ("const char *", "name")."""
    for statement in filter(None, (part.strip() for part in body.split(";"))):
        base, declarators = re.fullmatch(r"((?:const )?(?:struct )?\w+)\s+(.*)", statement, re.S).groups()
        for declarator in re.split(r",\s*", declarators):
            stars, name, array = re.fullmatch(r"((?:\*|const |\s)*)(\w+)((?:\[\d+\])?)", declarator).groups()
            yield f"{base} {stars}{array}".strip(), name


def main():
    folder, header = Path(sys.argv[1]), sys.argv[2]
    text = re.sub(r"/\*.*?\*/", "", header_text(folder, header), flags=re.S)
    functions = re.findall(r"^(?!typedef)[a-z][\w *]*\bfrost_\w+\([^;{]*\);", text, re.M)
    constants = re.findall(r"\b(FROST_[A-Z0-9_]+) = -?\d+", text)
    structs = re.findall(r"^typedef struct (frost_\w+) \{(.*?)^\} \1;", text, re.M | re.S)
    # frost_motion.h has no constants of its own.
    found = len(functions) >= 5 and len(structs) >= 2 and (len(constants) > 10 or not re.search(r"\benum\b", text))
    assert found, "a pattern does not match the header"
    (folder / "stubs.c").write_text(
        f'#include "{header}"\n' + "".join(f"{function[:-1]} {{ __builtin_trap(); }}\n" for function in functions))
    lines = [f'    printf("{name} %d\\n", {name});' for name in constants]
    for struct, body in structs:
        for kind, field in declarations(body):
            place = f"offsetof({struct}, {field}), sizeof((({struct} *)0)->{field})"
            lines.append(f'    printf("{struct}.{field} {kind} at %zu, %zu bytes\\n", {place});')
    (folder / "layout.c").write_text(
        "\n".join([f'#include "{header}"', "#include <stddef.h>", "#include <stdio.h>", "int main(void) {", *lines, "}"]) + "\n")


main()
