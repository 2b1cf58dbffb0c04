#!/usr/bin/env python3
"""Searches the files of the built `frost` for pictures besides their own, with exiftool.

    hidden.py --frost PATH [--quick] [--junit FILE]

The inputs hold a thumbnail in each way that exiftool knows. Each is written in every format with `--keep all` and with the
default. exiftool must find the picture in the input, and none in any output. The names of what was left out are printed
with `-v`. The script needs exiftool (Debian's libimage-exiftool-perl) and Pillow.
"""

import base64
import hashlib
import io
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout

from PIL import Image

from formats import chunk
from report import Cases, Skipped

FORMATS = ("jpg", "png", "webp", "tif", "avif", "jxl")


def picture(width, height, format, **options):
    out = io.BytesIO()
    image = Image.radial_gradient("L").resize((width, height)).convert("RGB")
    image.save(out, format, **options)
    return out.getvalue()


THUMBNAIL = picture(160, 120, "JPEG", quality=50)
JPEG, PNG = picture(64, 48, "JPEG"), picture(64, 48, "PNG")


# --- Inputs ------------------------------------------------------------------------------------------


def exif(entries, others=(), sub=None):
    """A block of little-endian EXIF: directory 0, the directories that follow it, and one that tag `sub` refers to. An
    entry is a tag, a type and bytes, or a tag and THUMBNAIL, whose offset becomes the value."""
    data = bytearray(b"II*\0\0\0\0\0")

    def add(content):
        data.extend(b"\0" * (len(data) % 2) + content)
        return len(data) - len(content)

    def directory(entries, link):
        fields = b""
        for tag, kind, value in sorted(entries):
            count = len(value) // {1: 1, 2: 1, 3: 2, 4: 4, 7: 1}[kind]
            if len(value) > 4:
                value = struct.pack("<I", add(value))
            fields += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
        return add(struct.pack("<H", len(entries)) + fields + struct.pack("<I", link))

    at = struct.pack("<I", add(THUMBNAIL))

    def placed(entries):
        return [(tag, kind, at if value is THUMBNAIL else value) for tag, kind, value in entries]

    link = 0
    for each in reversed(others):
        link = directory(placed(each), link)
    entries = placed(entries)
    if sub:
        entries.append((sub[0], 4, struct.pack("<I", directory(placed(sub[1]), 0))))
    data[4:8] = struct.pack("<I", directory(entries, link))
    return bytes(data)


def exifs():
    """Blocks by name."""
    first = [(0x0112, 3, b"\1\0")]
    length = struct.pack("<I", len(THUMBNAIL))
    thumbnail = [(0x0103, 3, b"\6\0"), (0x0201, 4, THUMBNAIL), (0x0202, 4, length)]
    strips = [(0x0100, 3, b"\xa0\0"), (0x0101, 3, b"\x78\0"), (0x0103, 3, b"\7\0"), (0x0106, 3, b"\6\0"),
              (0x0111, 4, THUMBNAIL), (0x0117, 4, length)]
    return {
        "directory 0": exif(first + thumbnail), "directory 1": exif(first, [thumbnail]),
        "directory 2": exif(first, [first, thumbnail]), "further directory": exif(first, sub=(0x014A, thumbnail)),
        "strips": exif(first, [strips]), "no length": exif(first, [thumbnail[:2]]),
        "maker's note": exif(first, sub=(0x8769, [(0x927C, 7, b"Maker\0" + THUMBNAIL)])),
    }


def segment(marker, content):
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def with_segments(*segments):
    return JPEG[:2] + b"".join(segments) + JPEG[2:]


def with_chunk(name, content):
    return PNG[:33] + chunk(name, content) + PNG[33:]


def xmp(properties):
    return (f'<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
            'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
            'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/" '
            'xmlns:GImage="http://ns.google.com/photos/1.0/image/" xmlns:xmpNote="http://ns.adobe.com/xmp/note/">'
            f'{properties}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>').encode()


def xmps():
    text = base64.b64encode(THUMBNAIL).decode()
    return {
        "thumbnails": xmp('<xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType="Resource"><xmpGImg:format>JPEG</xmpGImg:format>'
                          f'<xmpGImg:image>{text}</xmpGImg:image></rdf:li></rdf:Alt></xmp:Thumbnails>'),
        "Google's picture": xmp(f'<GImage:Mime>image/jpeg</GImage:Mime><GImage:Data>{text}</GImage:Data>'),
    }


def extended_xmp():
    content = xmps()["thumbnails"]
    name = hashlib.md5(content).hexdigest().upper()
    main = xmp(f"<xmpNote:HasExtendedXMP>{name}</xmpNote:HasExtendedXMP>")
    head = b"http://ns.adobe.com/xmp/extension/\0" + name.encode() + struct.pack(">II", len(content), 0)
    return with_segments(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + main), segment(0xE1, head + content))


def photoshop():
    resource = struct.pack(">IIIIIIHH", 1, 160, 120, 480, 57600, len(THUMBNAIL), 24, 1) + THUMBNAIL
    return b"8BIM" + struct.pack(">HHI", 0x040C, 0, len(resource)) + resource + b"\0" * (len(resource) % 2)


def mpf():
    """A JPEG followed by a second one, with the index of both."""
    def index(size, offset):
        entry = struct.pack("<IIIHH", 0, size, 0, 0, 0) + struct.pack("<IIIHH", 0, len(THUMBNAIL), offset, 0, 0)
        table = struct.pack("<H", 3) + struct.pack("<HHI4s", 0xB000, 7, 4, b"0100")
        table += struct.pack("<HHII", 0xB001, 4, 1, 2) + struct.pack("<HHII", 0xB002, 7, 32, 50)
        return segment(0xE2, b"MPF\0II*\0" + struct.pack("<I", 8) + table + struct.pack("<I", 0) + entry)
    size = len(JPEG) + len(index(0, 0))
    # Offsets count from the byte order mark behind the segment's marker, size and name.
    return with_segments(index(size, size - 10)) + THUMBNAIL


def tiff(tag, content):
    """A TIFF with a tag of bytes."""
    out, info = io.BytesIO(), {}
    Image.open(io.BytesIO(JPEG)).save(out, "TIFF", tiffinfo=info)
    data = bytearray(out.getvalue())
    at = struct.unpack("<I", data[4:8])[0]
    count = struct.unpack("<H", data[at:at + 2])[0]
    fields = [bytes(data[at + 2 + 12 * i:at + 14 + 12 * i]) for i in range(count)]
    data += b"\0" * (len(data) % 2)
    fields.append(struct.pack("<HHII", tag, 7, len(content), len(data)))
    data += content + b"\0" * (len(content) % 2)
    data[4:8] = struct.pack("<I", len(data))
    fields.sort(key=lambda field: struct.unpack("<H", field[:2]))
    return bytes(data) + struct.pack("<H", len(fields)) + b"".join(fields) + struct.pack("<I", 0)


def boxes(data):
    """The boxes of an ISO file, in order."""
    found, at = [], 0
    while at + 8 <= len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        found.append((name, data[at + 8:at + size]))
        at += size
    return found


def box(name, content):
    return struct.pack(">I4s", len(content) + 8, name) + content


def avif(type, kind=None, content=THUMBNAIL, mime=b""):
    """An AVIF with another item: its type, and its reference to the picture."""
    out = io.BytesIO()
    Image.radial_gradient("L").resize((64, 48)).convert("RGB").save(out, "AVIF")
    file = dict(boxes(out.getvalue()))
    meta = dict(boxes(file[b"meta"][4:]))
    table, count = meta[b"iloc"], struct.unpack(">H", meta[b"iloc"][6:8])[0]
    assert table[:6] == b"\0\0\0\0\x44\0" and count == 1, table
    item, _, _, start, size = struct.unpack(">HHHII", table[8:22])
    payloads = {item: out.getvalue()[start:start + size], item + 1: content}
    entries = meta[b"iinf"][6:] + box(b"infe", b"\2\0\0\0" + struct.pack(">HH", item + 1, 0) + type + b"x\0" + mime)
    parts = {name: content for name, content in meta.items() if name not in (b"iloc", b"iinf", b"iref")}
    parts[b"iinf"] = meta[b"iinf"][:4] + struct.pack(">H", 2) + entries
    if kind:
        parts[b"iref"] = b"\0\0\0\0" + box(kind, struct.pack(">HHH", item + 1, 1, item))

    def made(offset):
        places = b""
        for id, payload in payloads.items():
            places += struct.pack(">HHHII", id, 0, 1, offset, len(payload))
            offset += len(payload)
        whole = {**parts, b"iloc": b"\0\0\0\0\x44\0" + struct.pack(">H", 2) + places}
        # The handler comes first.
        names = sorted(whole, key=lambda name: name != b"hdlr")
        return box(b"ftyp", file[b"ftyp"]) + box(b"meta", b"\0\0\0\0" + b"".join(box(name, whole[name]) for name in names))
    return made(len(made(0)) + 8) + box(b"mdat", b"".join(payloads.values()))


def jxl(name):
    """A JPEG XL in a container with another box."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.png").write_bytes(PNG)
        subprocess.run(["cjxl", "in.png", "out.jxl", "--container=1"], cwd=folder, check=True, capture_output=True)
        return (Path(folder) / "out.jxl").read_bytes() + box(name, THUMBNAIL)


def tiff_pages():
    """A TIFF whose second page is a reduced copy, as the thumbnails of scanners are."""
    out = io.BytesIO()
    first, second = Image.open(io.BytesIO(JPEG)), Image.open(io.BytesIO(THUMBNAIL))
    first.save(out, "TIFF", save_all=True, append_images=[second], compression="jpeg")
    data = bytearray(out.getvalue())
    at = struct.unpack("<I", data[4:8])[0]
    at = struct.unpack("<I", data[at + 2 + 12 * struct.unpack("<H", data[at:at + 2])[0]:][:4])[0]
    # The first tag of the second page becomes NewSubfileType, and its width is found by what follows. Pillow writes 256 first.
    count = struct.unpack("<H", data[at:at + 2])[0]
    fields = [bytes(data[at + 2 + 12 * i:at + 14 + 12 * i]) for i in range(count)]
    fields.insert(0, struct.pack("<HHII", 254, 4, 1, 1))
    if fields[1][:2] == struct.pack("<H", 254):
        del fields[1]
    new = len(data) + len(data) % 2
    data = data.replace(struct.pack("<I", at), struct.pack("<I", new), 1)
    return bytes(data).ljust(new, b"\0") + struct.pack("<H", len(fields)) + b"".join(fields) + struct.pack("<I", 0)


def inputs():
    """Yields a name, a suffix, bytes, and whether exiftool finds the picture."""
    for name, block in exifs().items():
        # exiftool does not know this maker, nor a thumbnail without a length.
        seen = name not in ("maker's note", "no length", "strips")
        yield f"EXIF {name}", "jpg", with_segments(segment(0xE1, b"Exif\0\0" + block)), seen
        yield f"EXIF {name}", "png", with_chunk(b"eXIf", block), seen
        yield f"EXIF {name}", "webp", picture(64, 48, "WEBP", exif=block), seen
        text = f"\nexif\n{len(block) + 6:8}\n{(b'Exif' + bytes(2) + block).hex()}\n".encode()
        yield f"raw profile {name}", "png", with_chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(text)), seen
    for name, packet in xmps().items():
        yield f"XMP {name}", "jpg", with_segments(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet)), True
        yield f"XMP {name}", "png", with_chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(packet)), True
        yield f"XMP {name}", "webp", picture(64, 48, "WEBP", xmp=packet), True
        yield f"XMP {name}", "tif", tiff(700, packet), True
    yield "extended XMP", "jpg", extended_xmp(), True
    yield "Photoshop", "jpg", with_segments(segment(0xED, b"Photoshop 3.0\0" + photoshop())), True
    yield "Photoshop", "tif", tiff(34377, photoshop()), True
    yield "JFXX", "jpg", with_segments(segment(0xE0, b"JFXX\0\x10" + THUMBNAIL)), True
    yield "MPF", "jpg", mpf(), True
    yield "comment", "jpg", with_segments(segment(0xFE, THUMBNAIL)), False
    yield "after EOI", "jpg", JPEG + THUMBNAIL, False
    yield "after IEND", "png", PNG + THUMBNAIL, False
    text = base64.b85encode(THUMBNAIL)
    yield "base85", "png", with_chunk(b"tEXt", b"Comment\0" + text), False
    yield "base85", "jpg", with_segments(segment(0xFE, text)), False
    yield "thumbnail item", "avif", avif(b"jpeg", b"thmb"), False
    yield "auxiliary item", "avif", avif(b"jpeg", b"auxl"), False
    yield "gain map item", "avif", avif(b"tmap", b"dimg"), False
    yield "further item", "avif", avif(b"jpeg"), False
    yield "private item", "avif", avif(b"uri "), False
    yield "text item", "avif", avif(b"mime", b"cdsc", mime=b"image/jpeg\0"), False
    for name in (b"jumb", b"jhgm", b"uuid", b"free", b"Thmb"):
        yield f"box {name.decode()}", "jxl", jxl(name), False
        yield f"box {name.decode()}", "avif", picture(64, 48, "AVIF") + box(name, THUMBNAIL), False
    for name in (b"THMB", b"junk", b"META", b"EXIX"):
        data = picture(64, 48, "WEBP") + name + struct.pack("<I", len(THUMBNAIL)) + THUMBNAIL + b"\0" * (len(THUMBNAIL) % 2)
        yield f"chunk {name.decode()}", "webp", data[:4] + struct.pack("<I", len(data) - 8) + data[8:], False
    for tag in (330, 33723, 34377, 34665, 37500, 37724, 50341, 50706, 65000):
        yield f"tag {tag}", "tif", tiff(tag, THUMBNAIL), False
    yield "reduced page", "tif", tiff_pages(), False
    yield "private chunk", "png", with_chunk(b"prVt", THUMBNAIL), False


# --- Checks ------------------------------------------------------------------------------------------

# Groups of exiftool's that hold nothing but pictures, or parts that may hold some.
GROUPS = re.compile(r"(IFD[1-9]|SubIFD|MPF|MPImage|MakerNote|Photoshop|FlashPix|JFXX|JUMBF|Trailer|XMP-xmpGImg|XMP-GImage)")


def pictures(folder):
    """What exiftool finds besides the picture itself, for each file of a folder."""
    done = subprocess.run(["exiftool", "-j", "-a", "-u", "-ee", "-G1:2", folder], capture_output=True, text=True, timeout=300)
    found = {}
    for file in json.loads(done.stdout):
        names = [key for key in file if ":Preview:" in key or GROUPS.match(key)]
        found[Path(file["SourceFile"]).name] = names
    return found


def main():
    cases = Cases("hidden", __doc__)
    if not shutil.which("exiftool"):
        cases.add("exiftool", Skipped("exiftool is not installed (libimage-exiftool-perl)"))
        cases.finish()
    scan = THUMBNAIL[THUMBNAIL.rindex(b"\xff\xda") + 14:]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        sources = {}
        (folder / "in").mkdir()
        for name, suffix, data, seen in inputs():
            path = folder / "in" / f"{name} {suffix}.{suffix}"
            path.write_bytes(data)
            sources[path] = seen
        before = pictures(folder / "in")
        for path, seen in sources.items():
            cases.add(f"exiftool finds {path.name}", None if not seen or before[path.name] else "it found nothing")
        formats = FORMATS[:3] if cases.options.quick else FORMATS
        for keep in ("all", "color"):
            results = folder / keep
            results.mkdir()
            unnamed = {}
            for path in sources:
                for format in formats:
                    words = [cases.frost, "blur", path, "-o", results / f"{path.stem}.{format}", "--keep", keep, "-v",
                             "--sigma", "1"]
                    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
                    if done.returncode or "left out: " not in done.stdout + done.stderr:
                        unnamed[f"{path.stem}.{format}"] = done.stderr or "nothing is named as left out"
            after = pictures(results)
            for path in sources:
                for format in formats:
                    name = f"{path.stem}.{format}"
                    failure = unnamed.get(name) or (f"exiftool finds {after.get(name)}" if after.get(name) != [] else None)
                    if not failure and scan[:32] in (results / name).read_bytes():
                        failure = "it holds the thumbnail"
                    cases.add(f"--keep {keep} {name}", failure)
        done = subprocess.run(
            [cases.frost, "effect", "redact", folder / "in" / "EXIF directory 1 jpg.jpg", "-o", folder / "safe.jpg", "--keep",
             "all"], capture_output=True, text=True, timeout=60)
        warned = "redact does not look into EXIF" in done.stderr
        cases.add("redact warns of what it keeps", None if warned else done.stderr or "no warning")
    cases.finish()


if __name__ == "__main__":
    main()
