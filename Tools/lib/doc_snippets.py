#!/usr/bin/env python3
"""Writes the Swift code of the README and of the pages for users as one Swift file that a compiler can check.

    doc_snippets.py ROOT OUTPUT.swift

Each block becomes a function, whose parameters are what its page takes for granted. Blocks with a part of a Package.swift are
left out: they build nothing by themselves.
"""

import re
import sys
from pathlib import Path

# What the code of each page uses without declaring it.
CONTEXTS = {
    "README.md": [""],
    "docs/Glass.md": [""],
    "docs/Animation.md": ["renderer: Renderer, first: PixelBuffer, second: PixelBuffer", "", "draw: (Double) -> Void",
                          "time: Int, sequence: Int, lastSequence: Int, draw: (FrameTime) -> Void"],
    "docs/Compositors.md": [
        "picture: PixelBuffer, screen: inout PixelBuffer",
        "backdrop: Backdrop, screen: inout PixelBuffer, grab: () async throws -> PixelBuffer",
        "texture: UInt32, effect: Effect",
        "renderer: TextureRenderer, stored: inout [UInt8], effects: [Effect], scene: HostImage, screen: HostTarget",
        "renderer: TextureRenderer, planes: [DMABuffer.Plane], buffer: DMABuffer, producersFence: Int32, effect: Effect, "
        "send: (Int32?) -> Void, drm: Int32, theirs: Int32, ours: UInt32"],
    "docs/Effects.md": ["picture: PixelBuffer, renderer: Renderer, title: ContentImage, icon: ContentImage"],
    "docs/Embedding-Swift.md": ["", "", "picture: DecodedImage, renderer: Renderer",
                                "image: PixelBuffer, renderer: Renderer, effect: Effect, show: @escaping @Sendable (Result<Rendered, FrostError>) -> Void"],
}


def blocks(text):
    """Returns the blocks of Swift code, without parts of a Package.swift."""
    found = re.findall(r"^```swift\n(.*?)^```", text, re.M | re.S)
    return [block for block in found if not block.startswith("dependencies:")]


def main():
    root, output = Path(sys.argv[1]), Path(sys.argv[2])
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    imports, functions = {"import Frost", "import FrostImages", "import FrostMotion", "import FrostCore"}, []
    for page in pages:
        name = str(page.relative_to(root))
        code = blocks(page.read_text())
        contexts = CONTEXTS.get(name, [])
        if len(code) != len(contexts):
            sys.exit(f"{name} has {len(code)} blocks of Swift, but {Path(__file__).name} describes {len(contexts)}")
        for number, (block, context) in enumerate(zip(code, contexts)):
            lines = block.splitlines()
            imports.update(line for line in lines if line.startswith("import "))
            body = "\n".join("        " + line for line in lines if not line.startswith("import "))
            # The block is nested, so that it may declare a name of its context again.
            title = re.sub(r"\W", "_", name)
            functions.append(
                f"func {title}_{number}({context}) async throws {{\n"
                f"    do {{\n#sourceLocation(file: \"{name}, block {number + 1}\", line: 1)\n{body}\n#sourceLocation()\n    }}\n}}\n")
    output.write_text("\n".join(sorted(imports)) + "\n\n" + "\n".join(functions))


main()
