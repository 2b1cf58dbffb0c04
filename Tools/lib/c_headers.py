"""Reads the headers of the C libraries."""

import re
from pathlib import Path


def header_text(folder, name):
    """Returns the text of a header, and of the headers that it consists of: frost.h includes frost_base.h and others.
    frost_images.h and frost_motion.h include frost.h, which belongs to another library and is not part of the text."""
    text = (Path(folder) / name).read_text()
    parts = re.findall(r'^#include "(frost_\w+\.h)"', text, re.M)
    return "\n".join([text, *((Path(folder) / part).read_text() for part in parts)])
