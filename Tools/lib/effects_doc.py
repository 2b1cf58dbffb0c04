"""Writes docs/Catalogue.md and draws the pictures of docs/Effects.md. Tools/effects-doc runs this script."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import vibrancy_doc

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "Catalogue.md"
HEAD = """# Catalogue of effects

<!-- Written by Tools/effects-doc. -->

Every effect, what it does by default, and its parameters with their ranges and, in bold, their defaults.
[Effects](Effects.md) helps to choose one, and describes what all effects have in common.
"""
# What stands before the tables of vibrancy_doc.
CONTRAST = """The minimum contrast by WCAG 2 between [vibrant content](Effects.md#content-and-vibrancy) and the backdrop around it,
over all pixels of twenty very different backdrops. For `label`, "on" is the backdrop with the minimum, and "median" the
median of the minimum of each backdrop.
"""
PICTURE = ROOT / "docs" / "images" / "effects.png"
# The row of pictures for the README.
EXCERPT = ROOT / "docs" / "images" / "effects-excerpt.png"
EXCERPT_NAMES = ["light", "dark", "7blur-sky", "material-thin-light", "tilt-shift"]
VIBRANCY = ROOT / "docs" / "images" / "vibrancy.png"
VIBRANCY_NAMES = ["blur-extra-light", "blur-light", "blur-dark"] + [
    f"material-{thickness}-{look}" for look in ["light", "dark"] for thickness in ["thin", "regular", "thick"]
] + ["material-chrome-dark"]
INPUT = ROOT / "Samples" / "scene.png"
LABEL = ROOT / "Samples" / "label.png"


def families():
    """Returns the catalogue as [(family, [effect, ...]), ...], in the catalogue's order."""
    done = subprocess.run([OPTIONS.frost, "effects", "--json"], capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        effect = json.loads(line)
        found.setdefault(effect["family"], []).append(effect)
    return list(found.items())


# --- Tables ------------------------------------------------------------------------------------------

def allowed(parameter):
    if parameter["type"] == "number":
        return f"{parameter['minimum']:.12g}…{parameter['maximum']:.12g} {parameter['unit']}".rstrip()
    if parameter["type"] == "stops":
        return "stops"
    return "a colour" if parameter["type"] == "color" else ", ".join(parameter["choices"])


def default(parameter):
    value = parameter["default"]
    return f"{value:g}" if parameter["type"] == "number" else value


def described(parameter):
    """Returns a parameter as text, for example "`--radius` 0…300 points (**20**): sigma of the blur"."""
    return f"`--{parameter['name']}` {allowed(parameter)} (**{default(parameter)}**): {parameter['help']}"


def table(effects):
    # Parameters that all effects of the table share are described once.
    shared = [one for one in effects[0]["parameters"] if all(one in effect["parameters"] for effect in effects)]
    if len(effects) == 1:
        shared = []
    sources = list(dict.fromkeys(effect["source"] for effect in effects))
    lines = ["| effect | what it is | what it does by default | parameters |", "| --- | --- | --- | --- |"]
    for effect in effects:
        own = [described(one) for one in effect["parameters"] if one not in shared]
        lines.append(f"| `{effect['name']}` | {effect['summary']} | {', '.join(effect['stages'])} | {'<br>'.join(own)} |")
    if shared:
        lines += ["", "All of them take:", ""] + [f"- {described(one)}" for one in shared]
    lines.append("")
    for source in sources:
        names = [f"`{one['name']}`" for one in effects if one["source"] == source]
        # A list of adjacent effects from the same source is shortened to its first and last name.
        names = [] if len(sources) == 1 else names if len(names) < 3 else [names[0], "…", names[-1]]
        lines.append(f"Numbers{' of ' if names else ''}{' '.join(names)}: {source}.\\")
    lines[-1] = lines[-1].removesuffix("\\")
    return "\n".join(lines) + "\n"


# --- The document ------------------------------------------------------------------------------------

def document():
    """Returns the text of the catalogue: a chapter for each family, and one for the measured contrast."""
    chapters = [HEAD] + [f"## {family}\n\n{table(effects)}" for family, effects in families()]
    chapters.append(f"## Contrast of vibrant content\n\n{CONTRAST}\n{vibrancy_doc.table(OPTIONS.frost, ROOT)}")
    return "\n".join(chapters)


def main():
    fresh = document()
    if OPTIONS.check:
        if fresh != DOCUMENT.read_text():
            sys.exit(f"{DOCUMENT.relative_to(ROOT)} is stale; run Tools/effects-doc")
        return
    # The pictures are made without dither, because dither compresses badly. They are made by the exact backend, so that
    # they are the same on every machine.
    import contact_sheet
    content = ["--content", LABEL, "--vibrancy", "label", "--content-mode", "center"]
    for path, chosen in [(PICTURE, []), (EXCERPT, ["--effect", ",".join(EXCERPT_NAMES)]),
                         (VIBRANCY, ["--effect", ",".join(VIBRANCY_NAMES), *content])]:
        page = subprocess.run([OPTIONS.frost, "effects", *chosen, "--sheet", "-", INPUT, "--no-dither", "--backend", "exact"],
                              capture_output=True, text=True, check=True).stdout
        contact_sheet.draw(page, has_headings=not chosen).save(path, optimize=True)
    DOCUMENT.write_text(fresh)


parser = argparse.ArgumentParser(prog="Tools/effects-doc", description=__doc__)
parser.add_argument("--frost", required=True, help=argparse.SUPPRESS)
parser.add_argument("--check", action="store_true", help="only compare the document with the catalogue")
OPTIONS = parser.parse_args()
main()
