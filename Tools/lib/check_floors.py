#!/usr/bin/env python3
"""Checks that the targets of Package.swift keep to the floors that the READMEs in Sources describe.

    FROST_WRITTEN_NAMES=1 swift package dump-package | check_floors.py
    swift package dump-package | check_floors.py --complete

A floor is a folder of Sources. The script follows each dependency of each target, and names those that a floor may not
have. It also checks that the products of the library build no target of a floor above. With --complete it only checks that
each target names all targets below it, so that it is compiled again when one of them changes.
"""

import json
import sys

# What the targets of a floor may import, besides targets of the same floor. FrostSceneFiles, FrostImagesC and FrostMotionC need
# codecs; the other targets of their floors must not.
MAY_IMPORT = {
    "Engine": {"Shaders"},
    "Pictures": {"Engine"},
    "Motion": {"Engine"},
    "Command": {"Engine", "Pictures", "Motion", "Tests"},
    "Bindings": {"Engine"},
}
ALSO = {"FrostSceneFiles": {"Pictures"}, "FrostImagesC": {"Pictures"}, "FrostMotionC": {"Pictures", "Motion"}}
# The floors that a product may be built from.
PRODUCTS = {"Frost": {"Engine", "Shaders"}, "FrostC": {"Engine", "Shaders", "Bindings"}}


def floor(target):
    path = target.get("path") or f"Tests/{target['name']}"
    parts = path.split("/")
    return parts[1] if parts[0] == "Sources" else parts[0]


def names(dependencies):
    return [next(iter(entry.values()))[0] for entry in dependencies]


def below(targets, product):
    """Returns the targets that one is built from, with itself."""
    seen, waiting = set(), [product]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += names(targets[name]["dependencies"])
    return seen


def incomplete(targets):
    return [f"{name} does not name {other}" for name in targets
            for other in sorted(below(targets, name) - {name} - set(names(targets[name]["dependencies"])))]


def main():
    targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
    faults = incomplete(targets) if sys.argv[1:] == ["--complete"] else misplaced(targets)
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


def misplaced(targets):
    faults = []
    for name, target in targets.items():
        own = floor(target)
        if own == "Sources":
            faults.append(f"{name} belongs to no floor of Package.swift")
        if own not in MAY_IMPORT:
            continue
        allowed = MAY_IMPORT[own] | {own} | ALSO.get(name, set())
        for other in names(target["dependencies"]):
            if floor(targets[other]) not in allowed:
                faults.append(f"{name} of {own} imports {other} of {floor(targets[other])}")
    for product, allowed in PRODUCTS.items():
        faults += [f"{product} builds {name} of {floor(targets[name])}"
                   for name in sorted(below(targets, product)) if floor(targets[name]) not in allowed]
    return faults


if __name__ == "__main__":
    main()
