#!/usr/bin/env python3
"""Compiles every shader of Shaders/ with the reference GLSL front end.

At run time, the program builder prepends a head to each shader that has no #version line. Only this head defines the
values of the constants. Whether a shader is valid does not depend on these values, so this script gives an arbitrary
number to every name in capitals that the shader uses and does not define. Three kinds of names are special. If an #if
compares a name with names that begin with the same word (DRAW == DRAW_PASS), the first name takes the value of each of
the others in turn, while the first names of other such lists keep one value. Every other name in an #if is tried as 0 and
as 1, in all combinations; only the names for the host's images are switched together. A name with arguments
(TAPS(ONE, TWO), INSIDE_STAGES(NEXT)) is a macro that applies its arguments to numbers. Combinations that the shader
refuses by #error are skipped, and of combinations that leave the same lines one is compiled. A shader whose function
filtered() is defined by one of several files is compiled with each of them. The line numbers of errors count from the
first line of entry.glsl, or of a shader of vertices.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The files that a front end reads at a time.
BATCH = 100
# Images of the host have these switches.
HOST = re.compile(r"_EXTERNAL$|_TURNED$|_SWAPS$|_OPAQUE$|^PLACED$")
NAME = re.compile(r"\b[A-Z][A-Z0-9_]+\b")


class Undecided(Exception):
    """A line depends on a name that has no value yet."""


def condition(expression):
    """Returns the condition of an #if as code that calls `value` for each name, and only for those that it needs."""
    code = NAME.sub(lambda name: f"value('{name[0]}')", expression)
    code = re.sub("!(?!=)", " not ", code.replace("||", " or ").replace("&&", " and "))
    return compile(code.strip(), expression, "eval")


class Source:
    """The text of a shader with the files of one kind of draws, and the names in it."""

    def __init__(self, text, fixed):
        code = [re.sub(" *//.*", "", line) for line in text.split("\n")]
        conditions = "\n".join(line for line in code if re.match(" *#(if|elif)", line))
        directives = [line if line.lstrip().startswith("#") else "" for line in code]
        used = set(NAME.findall("\n".join(code))) - {"IMAGE_FORMAT"} - set(fixed)
        defined = {name for line in directives for name in re.findall(r"^ *#define +([A-Z0-9_]+)", line)}
        other = "\n".join(line for line, directive in zip(code, directives) if not directive)
        self.macros = sorted(set(re.findall(r"\b([A-Z][A-Z0-9_]+)\(([A-Z]+(?:, [A-Z]+)?)\)", other)))
        # The values that each first name of a list takes.
        self.lists = {}
        for name, value in re.findall(r"\b([A-Z]+) == (\1_[A-Z0-9_]+)", conditions):
            values = self.lists.setdefault(name, [])
            if value not in values:
                values.append(value)
        listed = {value for values in self.lists.values() for value in values}
        self.switches = set(NAME.findall(conditions)) & used - defined - listed - set(self.lists)
        macros = {name for name, _ in self.macros}
        constants = sorted(used - defined - self.switches - set(self.lists) - macros)
        self.values = {**fixed, **{name: 10 + index for index, name in enumerate(constants)}}
        self.parts = list(self.split(code))

    def split(self, code):
        """Yields the directives of the code, and the text between them, with what decides about each."""
        text, names = [], set()
        for line in code:
            directive = re.match(r" *#(\w+) *(.*)", line)
            if not directive:
                text.append(line)
                names |= set(NAME.findall(line)) & (self.switches | self.lists.keys())
                continue
            if text:
                yield "text", "\n".join(text) + "\n", sorted(names)
                text, names = [], set()
            kind, rest = directive[1], directive[2]
            if kind in ("if", "elif"):
                yield kind, "\n", condition(rest)
            elif kind == "define" and (macro := re.fullmatch(r"([A-Z0-9_]+) +(.*[A-Z].*)", rest)):
                yield kind, line + "\n", (macro[1], condition(macro[2]))
            elif kind in ("else", "endif", "error"):
                yield kind, "\n", None
            else:
                yield "text", line + "\n", []
        yield "text", "\n".join(text), sorted(names)

    def head(self):
        """The definitions that all variants share."""
        lines = [f"#define {name} {value}" for name, value in self.values.items()] + ["#define IMAGE_FORMAT rgba8"]
        for name, arguments in self.macros:
            applied = "ONE(0, 0.5) TWO(1, 2, 0.25)" if ", " in arguments else "NEXT(0, 10)"
            lines.append(f"#define {name}({arguments}) {applied}")
        return lines

    def variants(self, chosen, state=(0, True, (), {}, "")):
        """Yields the names with values and the remaining text of each variant in which some names have values.

        The state is the index of the next part, whether its lines remain, the same for each open #if with whether a branch
        was taken, the macros, and the text so far. An #if that leaves lines out leaves empty ones.
        """
        index, active, open_ifs, macros, text = state

        def value(name):
            if name in macros:
                return eval(macros[name], {"value": value})
            if name in chosen:
                return chosen[name]
            if name in self.values:
                return self.values[name]
            raise Undecided(name)

        try:
            while index < len(self.parts):
                kind, lines, decides = self.parts[index]
                if kind in ("if", "elif", "else"):
                    outer, taken = (active, False) if kind == "if" else open_ifs[-1]
                    holds = outer and not taken and (kind == "else" or bool(eval(decides, {"value": value})))
                    open_ifs = (open_ifs if kind == "if" else open_ifs[:-1]) + ((outer, taken or holds),)
                    active = holds
                elif kind == "endif":
                    active, open_ifs = open_ifs[-1][0], open_ifs[:-1]
                elif not active:
                    lines = "\n" * lines.count("\n")
                elif kind == "error":
                    return
                elif kind == "define":
                    macros = {**macros, decides[0]: decides[1]}
                else:
                    for name in decides:
                        value(name)
                text += lines
                index += 1
        except Undecided as undecided:
            name = str(undecided)
            # The host's images are switched together.
            names = [switch for switch in self.switches if HOST.search(switch)] if HOST.search(name) else [name]
            state = (index, active, open_ifs, macros, text)
            for choice in self.choices(name, chosen):
                yield from self.variants({**chosen, **dict.fromkeys(names, choice)}, state)
            return
        yield chosen, text

    def choices(self, name, chosen):
        if name not in self.lists:
            return [0, 1]
        # Only one list has another value than its first.
        varied = any(chosen.get(other, self.values[values[0]]) != self.values[values[0]]
                     for other, values in self.lists.items())
        return [self.values[value] for value in self.lists[name][:1 if varied else None]]


def sources(stage, shader):
    """Yields the label and the text of a shader with the files of each kind of draws, and its fixed names."""
    compute = int(stage == "comp")
    files = sorted(Path("Shaders").glob(f"{Path(shader).stem}.*.glsl"))
    kinds = [file for file in files if re.search(r"^vec4 filtered\(.*\{", file.read_text(), re.MULTILINE)]
    shared = [file for file in files if file not in kinds and not file.name.endswith(".kernel2D.glsl")]
    stem = Path(shader).with_suffix("")
    lists = [(kind.name, [kind] + shared) for kind in kinds] or [("", shared)]
    for index, (name, needed) in enumerate(lists):
        if name.endswith((".runs.glsl", ".zoom.glsl")):
            lists[index] = (name, [Path(f"{stem}.kernel2D.glsl")] + needed)
    # A dispatch over a whole output has the files of two kinds.
    if compute and any(kind.name.endswith(".unrolled.glsl") for kind in kinds):
        lists.append(("whole", [Path(f"{stem}.pass.glsl"), Path(f"{stem}.unrolled.glsl")] + shared))
    for name, needed in lists:
        # Lenses and the output stages need the shapes.
        files = [Path(shader)] + sorted(needed, key=lambda file: not file.name.endswith(".shapes.glsl"))
        if stage != "vert":
            files = [Path(f"Shaders/{name}.glsl") for name in ("entry", "common", "straight")] + files
        fixed = {"COMPUTE": compute, "WHOLE": int(name == "whole")}
        if kinds:
            # Only the file of blends has a program with the switch BLENDS.
            fixed["BLENDS"] = int(name.endswith(".blend.glsl"))
        yield f"{shader} with {name}" if name else shader, "".join(file.read_text() for file in files), fixed


def variants(stage, shader):
    """Yields the label and the text of each variant of a shader."""
    for label, text, fixed in sources(stage, shader):
        if text.startswith("#version"):
            yield label, text
            return
        source = Source(text, fixed)
        head = source.head()
        seen, desktop = set(), set()
        for chosen, body in source.variants({}):
            if body in seen:
                continue
            seen.add(body)
            version = "#version 310 es" if stage == "comp" else "#version 300 es"
            versions = [version]
            if "samplerExternalOES" in body:
                versions = [version + "\n#extension GL_OES_EGL_image_external_essl3 : require"]
            elif stage != "comp":
                # Contexts of desktop OpenGL compile the same sources as GLSL 3.30. Whether names are declared does not
                # depend on the version, so variants that have each line once are enough.
                lines = set(enumerate(body.split("\n")))
                if not lines <= desktop:
                    desktop |= lines
                    versions.append("#version 330")
            names = "".join(f", {name} {value}" for name, value in chosen.items())
            definitions = [f"#define {name} {value}" for name, value in chosen.items()]
            for version in versions:
                yield (f"{label}{names}, {version.splitlines()[0]}",
                       "\n".join([version] + head + definitions + ["#line 1", body]))


def faults(batch):
    """Returns the errors of the front end for files, by file, and removes the files."""
    output = subprocess.run(["glslangValidator", *batch], stdout=subprocess.PIPE, check=False, text=True).stdout
    found, file = {}, None
    # The front end prints the name of each file, and its errors below the name.
    for line in output.splitlines():
        if line in batch:
            file = line
        elif line.strip():
            found.setdefault(file, []).append(line)
    for file in batch:
        os.unlink(file)
    return found


def main():
    os.chdir(Path(__file__).resolve().parents[2])
    shaders = [("vert", "Shaders/fullscreen.vert")]
    for name in ("filter", "convert", "transition", "trial"):
        shaders += [("frag", f"Shaders/{name}.glsl"), ("comp", f"Shaders/{name}.glsl")]
    labels, batches = {}, []
    # Thousands of small files are quicker in memory.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        batch = []
        for stage, shader in shaders:
            for label, text in variants(stage, shader):
                file = f"{folder}/{len(labels):05d}.{stage}"
                labels[file] = label
                Path(file).write_text(text + "\n", encoding="utf-8")
                batch.append(file)
                if len(batch) == BATCH:
                    batches.append(pool.submit(faults, batch))
                    batch = []
        batches.append(pool.submit(faults, batch))
        errors = {file: lines for done in batches for file, lines in done.result().items()}
    for file, lines in errors.items():
        print(labels.get(file, file), *lines, sep="\n")
    print(f"{len(labels)} variants compiled")
    return int(bool(errors))


if __name__ == "__main__":
    sys.exit(main())
