#!/usr/bin/env python3
"""Writes the hardware kit's pictures of noise, with 8 and 16 bits and floats: noise_pictures.py FOLDER"""

import array
import random
import sys
from pathlib import Path

random.seed(1)
folder = Path(sys.argv[1])
for name, width, height, depth, maximum, kind in (
        ("noise.pam", 180, 120, 4, 255, "RGB_ALPHA"), ("noise.16.pam", 211, 137, 2, 65535, "GRAYSCALE_ALPHA")):
    header = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {depth}\nMAXVAL {maximum}\nTUPLTYPE {kind}\nENDHDR\n"
    samples = random.randbytes(width * height * depth * (maximum.bit_length() // 8))
    (folder / name).write_bytes(header.encode() + samples)
floats = array.array("f", (random.random() for _ in range(97 * 61 * 3)))
(folder / "noise.pfm").write_bytes(b"PF\n97 61\n-1.0\n" + floats.tobytes())
