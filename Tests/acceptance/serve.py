#!/usr/bin/env python3
"""Tests `frost serve`: what RFC 9110 and RFC 9112 ask of a server, its options, limits, signatures, sources and its end.

    serve.py --frost PATH [--quick] [--only TEXT] [--junit FILE]

The cases use sockets of their own, because client libraries repair what a case must get wrong. With --quick, a hundredth of the
malformed requests is sent.
"""

import base64
import hashlib
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases, Skipped
from serving import ROOT, Response, Server, drain, form, message, signed, together

PNG = (ROOT / "docs/images/corners.png").read_bytes()
# A picture whose blur takes a second or more: noise in a large file of a simple format.
SLOW = b"P6\n3000 3000\n255\n" + bytes(27_000_000)
SLOW_TARGET = "/effect/zoom?amount=100"
KEY = b"a key of the tests, which is long enough"


def blurred(frost, data, *words, suffix="png"):
    """The result of the command for the same picture."""
    with tempfile.TemporaryDirectory(prefix="frost-serve-") as name:
        folder = Path(name)
        (folder / "in").write_bytes(data)
        subprocess.run([frost, *words, "in", "-o", f"out.{suffix}", "--quiet"], cwd=folder, check=True)
        return (folder / f"out.{suffix}").read_bytes()


# --- Pictures ----------------------------------------------------------------------------------------

def same_as_command(frost):
    """A picture is the same, to the last byte, as that of the command with the same options."""
    photo = (ROOT / "Samples/photo.png").read_bytes()
    with Server(frost) as server:
        for target, words, suffix in [
            ("/blur?sigma=8", ["blur", "--sigma", "8"], "png"),
            ("/blur?sigma=3,9&edge=mirror&linear=1&tint=black,0.3", [
                "blur", "--sigma", "3,9", "--edge", "mirror", "--linear", "--tint", "black,0.3"], "png"),
            ("/blur?sigma=5&format=webp&quality=70", ["blur", "--sigma", "5", "--quality", "70"], "webp"),
            ("/blur?sigma=5&format=jpg&background=white", ["blur", "--sigma", "5", "--background", "white"], "jpg"),
            ("/effect/light?scale=2", ["effect", "light", "--scale", "2"], "png"),
            ("/redact?fill=black&rect=10,10,40,30&rect=50%25,0,50%25,20", [
                "effect", "redact", "--fill", "black", "--rect", "10,10,40,30", "--rect", "50%,0,50%,20"], "png"),
            ("/blur?sigma=2&resize=50%25", ["blur", "--sigma", "2", "--resize", "50%"], "png"),
            ("/preset/hero", ["effect", "material-thick-light", "--rect", "center,60%x40%", "--corner-radius", "24",
                              "--corner-smoothing", "0.6"], "png"),
            ("/blur?preset=lock-screen&sigma=9", ["blur", "--sigma", "9", "--tint", "black,0.3"], "png"),
        ]:
            if words[0] == "effect":
                words = [words[0], words[1], *words[2:]]
                command = blurred_effect(frost, photo, words, suffix)
            else:
                command = blurred(frost, photo, *words, suffix=suffix)
            answer = server.request("POST", target, photo).expect(200)
            assert answer.body == command, (target, len(answer.body), len(command))


def blurred_effect(frost, data, words, suffix):
    with tempfile.TemporaryDirectory(prefix="frost-serve-") as name:
        folder = Path(name)
        (folder / "in").write_bytes(data)
        subprocess.run([frost, words[0], words[1], "in", "-o", f"out.{suffix}", "--quiet", *words[2:]], cwd=folder,
                       check=True)
        return (folder / f"out.{suffix}").read_bytes()


def forms(frost):
    """A form gives the same as a body with a query; it may have a mask, and options as text fields."""
    with Server(frost) as server:
        plain = server.request("POST", "/blur?sigma=4", PNG).expect(200).body
        body, headers = form(("picture", "a.png", PNG), ("sigma", None, b"4"))
        assert server.request("POST", "/blur", body, headers).expect(200).body == plain
        # A quoted boundary, a preamble, and spaces behind the boundary are allowed.
        body, _ = form(("picture", "a.png", PNG), boundary="a b")
        quoted = {"Content-Type": 'multipart/form-data; charset=utf-8; boundary="a b"'}
        assert server.request("POST", "/blur?sigma=4", b"preamble\r\n" + body, quoted).expect(200).body == plain
        mask = b"P5 2 1 255\n\x00\xff"
        body, headers = form(("picture", "a.png", PNG), ("mask", "m.pgm", mask))
        assert server.request("POST", "/effect/variable", body, headers).expect(200).body
        missing = server.request("POST", "/effect/variable", PNG).expect(400, "invalid-option")
        assert missing.json["option"] == "mask", missing.body
        body, headers = form(("picture", "a.png", PNG), ("content", "l.png", mask))
        surplus = server.request("POST", "/blur?sigma=4", body, headers).expect(400, "invalid-option")
        assert surplus.json["option"] == "content", surplus.body
        label = (ROOT / "Samples/label.png").read_bytes()
        body, headers = form(("picture", "a.png", PNG), ("content", "l.png", label), ("vibrancy", None, b"label"))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "in").write_bytes(PNG)
            subprocess.run([frost, "effect", "blur-dark", "in", "-o", "out.png", "--content", ROOT / "Samples/label.png",
                            "--vibrancy", "label", "--quiet"], cwd=folder, check=True)
            command = (folder / "out.png").read_bytes()
        assert server.request("POST", "/effect/blur-dark?format=png", body, headers).expect(200).body == command
        server.request("POST", "/blur?sigma=4", body, headers).expect(400, "invalid-option")
        server.request("POST", "/effect/blur-dark?vibrancy=label", PNG).expect(400, "invalid-option")
        for fields, code in [
            ([("mask", "m.pgm", mask)], "bad-form"), ([("picture", "a", PNG), ("picture", "b", PNG)], "bad-form"),
            ([("picture", "a", PNG), ("photo", "b", PNG)], "bad-form"), ([("picture", "a", PNG), ("sgima", None, b"4")], "invalid-option"),
        ]:
            body, headers = form(*fields)
            server.request("POST", "/blur?sigma=4", body, headers).expect(400, code)
        body, headers = form(("picture", "a.png", PNG))
        for damaged in [b"", b"--", body[:-4], body[: len(body) // 2], body.replace(b"\r\n\r\n", b"\r\n", 1),
                        body.replace(b'name="picture"', b"", 1), b"--frost-boundary" * 1000]:
            server.request("POST", "/blur?sigma=4", damaged, headers).expect(400)
        server.request("POST", "/blur?sigma=4", body, {"Content-Type": "multipart/form-data"}).expect(415, "content-type")
        server.request("POST", "/blur?sigma=4", PNG, {"Content-Type": "text/html"}).expect(415, "content-type")
        server.request("POST", "/blur?sigma=4", PNG, {"Content-Encoding": "gzip"}).expect(415, "content-encoding")


def transitions(frost):
    """A frame or an animation has the bytes that the command makes, and every fault is named."""
    scene = (ROOT / "Samples/scene.png").read_bytes()
    pair = [("from", "a.png", PNG), ("to", "b.png", scene)]
    with Server(frost) as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for role, _, data in pair:
            (folder / role).write_bytes(data)
        (folder / "mask").write_bytes(b"P5 2 1 255\n\x00\xff")

        def ask(target, *fields, **headers):
            body, kind = form(*fields)
            return server.request("POST", f"/transition/{target}", body, {**kind, **headers})

        def command(output, *words):
            subprocess.run([frost, "transition", "from", "to", "-o", output, *words, "--quiet"], cwd=folder, check=True)
            return (folder / output).read_bytes()

        frame = ask("ripple?time=0.4&width=30", *pair).expect(200)
        assert frame.body == command("a.png", "--effect", "ripple", "--time", "0.4", "--width", "30")
        assert frame.headers["content-type"] == "image/png" and frame.headers["vary"] == "Accept"
        assert float(frame.headers["frost-error-bound"]) < 1
        # Options may be fields of the form.
        assert ask("ripple", *pair, ("time", None, b"0.4"), ("width", None, b"30")).expect(200).body == frame.body
        # The pictures have different sizes, so the frame has transparent parts, which no JPEG holds.
        ask("ripple?time=0.4&format=jpeg", *pair).expect(422, "cannot-encode")
        assert ask("ripple?time=0.4&format=jpeg&background=white", *pair).expect(200).body[:2] == b"\xff\xd8"
        either = {"Accept": "image/jpeg, image/png;q=0.5"}
        assert ask("ripple?time=0.4", *pair, **either).expect(200).headers["content-type"] == "image/png"
        same = [("from", "a", PNG), ("to", "b", PNG)]
        assert ask("ripple?time=0.4", *same, **either).expect(200).headers["content-type"] == "image/jpeg"
        assert ask("flash?time=0.4", *pair, Accept="image/webp").expect(200).headers["content-type"] == "image/webp"
        masked = ask("disintegrate-with-mask?time=0.5", *pair, ("mask", "m", (folder / "mask").read_bytes())).expect(200)
        assert masked.body == command("b.png", "--effect", "disintegrate-with-mask", "--time", "0.5", "--mask", "mask")
        animation = ask("dissolve?duration=0.3&fps=10&loop=2", *pair).expect(200)
        assert animation.headers["content-type"] == "image/webp"
        assert animation.body == command("c.webp", "--duration", "0.3", "--fps", "10", "--loop", "2")
        other = ask("dissolve?duration=0.3&fps=10", *pair, Accept="image/png").expect(200)
        assert other.headers["content-type"] == "image/apng" and b"acTL" in other.body[:100]
        for target, fields, status, error, option in [
            ("ripple", pair, 400, "invalid-option", "time"), ("ripple?time=2", pair, 400, "invalid-option", "time"),
            ("ripple?time=0.5&loop=1", pair, 400, "invalid-option", "loop"),
            ("ripple?duration=1&format=png", pair, 400, "invalid-option", "format"),
            ("ripple?time=0.5&output=x", pair, 400, "invalid-option", "output"),
            ("ripple?time=0.5&keep=times", pair, 400, "invalid-option", "keep"),
            ("disintegrate-with-mask?time=0.5", pair, 400, "invalid-option", "mask"),
            ("dissolve?time=0.5", [*pair, ("shading", "s", PNG)], 400, "invalid-option", "shading"),
            ("dissolve?time=0.5", pair[:1], 400, "bad-form", "to"),
            ("dissolve?time=0.5", [*pair, ("picture", "s", PNG)], 400, "bad-form", None),
            ("dissolve?time=0.5", [pair[0], ("to", "b", b"no picture")], 415, "unknown-format", None),
            ("dissolve?time=0.5", [pair[0], ("to", "b", scene[:2000])], 422, "damaged", None),
            ("ripple?time=0.5&extent=9000,9000,5,5", pair, 400, "invalid-option", "extent"),
            ("nothing?time=0.5", pair, 404, "not-found", None),
        ]:
            answer = ask(target, *fields).expect(status, error)
            assert answer.json["option"] == option, (target, answer.json)
        server.request("POST", "/transition/dissolve?time=0", PNG).expect(415, "content-type")
        assert server.request("GET", "/transition/dissolve?time=0").expect(405).headers["allow"] == "POST"
        # An animation has one of two types.
        body, kind = form(*pair)
        for accept, status in [("image/avif", 406), ("image/png", 200), ("image/*;q=0.1, image/avif", 200), ("text/html", 406)]:
            answer = server.request("POST", "/transition/dissolve?duration=0.2&fps=10", body, {**kind, "Accept": accept})
            assert answer.status == status, (accept, answer.status, answer.body[:100])
        # More bits than the format holds are rounded, as those of a picture that is only blurred.
        deep = b"P5 16 16 65535\n" + bytes(512)
        body, kind = form(("from", "a.pgm", deep), ("to", "b.pgm", deep))
        answer = server.request("POST", "/transition/dissolve?time=0.5&format=webp", body, kind).expect(200)
        assert "16 bits per sample are reduced to the 8" in answer.headers["frost-warning"], answer.headers
        server.request("POST", "/transition", PNG).expect(404)
        # All memory is given back, also after errors.
        assert server.metric("frost_memory_bytes") == 0
    with Server(frost, "--max-memory", "120M") as server:
        large = [(role, name, b"P6 2000 1000 255\n" + bytes(6_000_000)) for role, name, _ in pair]
        body, kind = form(*large)
        answers = together(5, lambda _: server.request("POST", "/transition/dissolve?time=0.5&format=jpeg", body, kind))
        assert {answer.status for answer in answers} == {200}, [answer.body[:200] for answer in answers]
        huge = [(role, name, b"P6 3200 2000 255\n" + bytes(19_200_000)) for role, name, _ in pair]
        body, kind = form(*huge)
        assert server.request("POST", "/transition/dissolve?time=0.5", body, kind).status == 413
    with Server(frost, "--max-time", "0.3") as server:
        ask = form(*pair)
        server.request("POST", "/transition/ripple?duration=100", *ask).expect(503, "over-time")
        assert server.metric("frost_memory_bytes") == 0
    with Server(frost, "--presets-only") as server:
        server.request("POST", "/transition/dissolve?time=0", *form(*pair)).expect(404)


def accept(frost):
    """The field Accept chooses the format, and the response says that it did."""
    with Server(frost) as server:
        opaque = b"P6\n4 4\n255\n" + bytes(48)
        for value, kind in [
            (None, "image/x-portable-pixmap"), ("*/*", "image/x-portable-pixmap"), ("image/webp", "image/webp"),
            ("image/*", "image/x-portable-pixmap"), ("image/png;q=0.5, image/jpeg", "image/jpeg"),
            ("image/png;q=0.5, image/jpeg;q=0.4", "image/png"), ("image/jpeg;q=0, */*", "image/x-portable-pixmap"),
            ("text/html,application/xhtml+xml,image/avif,image/webp,image/apng,*/*;q=0.8", "image/webp"),
            ("image/webp;q=0.1, image/*;q=0.9", "image/x-portable-pixmap"), ("IMAGE/PNG", "image/png"),
            ("image/png;q=2, image/jpeg", "image/jpeg"), ("nonsense, image/png", "image/png"),
        ]:
            answer = server.request("POST", "/blur?sigma=1", opaque, {"Accept": value}).expect(200)
            assert answer.headers["content-type"] == kind, (value, answer.headers)
            assert answer.headers["vary"] == "Accept"
        # A transparent picture gets a format that holds it.
        clear = b"P7\nWIDTH 4\nHEIGHT 4\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" + bytes(64)
        answer = server.request("POST", "/blur?sigma=1", clear, {"Accept": "image/jpeg, image/png;q=0.5"}).expect(200)
        assert answer.headers["content-type"] == "image/png", answer.headers
        server.request("POST", "/blur?sigma=1&format=jpeg", clear).expect(422, "cannot-encode")
        answer = server.request("POST", "/blur?sigma=1&format=png", opaque, {"Accept": "image/webp"}).expect(200)
        assert answer.headers["content-type"] == "image/png" and "vary" not in answer.headers
        for value in ["text/html", "image/*;q=0", "video/*"]:
            refused = server.request("POST", "/blur?sigma=1", opaque, {"Accept": value}).expect(406, "not-acceptable")
            assert "image/webp" in refused.json["range"] and refused.headers["vary"] == "Accept"


def refusals(frost):
    """Each refusal has its status, and a body with code, message, option and range, whose text is that of the command."""
    with Server(frost) as server:
        for target, option, text, limits in [
            ("/blur?sigma=8000", "sigma", "--sigma 8000 is out of range (allowed: 0 to 1000)", "0 to 1000"),
            ("/blur?sgima=8", "sgima", "unknown option --sgima (did you mean --sigma?)", None),
            ("/blur?sigma=8&edge=clmp", "edge", "did you mean clamp?", "clamp, mirror"),
            ("/blur", "sigma", "--sigma S[,SY] is required", None), ("/blur?sigma=", "sigma", "needs a value", "0 to 1000"),
            ("/blur?sigma=1&linear=maybe", "linear", "--linear takes no value", None),
            ("/blur?sigma=1&corner-radius=3", "corner-radius", "--corner-radius needs --rect", None),
            ("/blur?sigma=1&format=doc", "format", "invalid value", "png, jpeg"),
            ("/effect/light?sigma=3", "sigma", "unknown option --sigma", None),
            ("/blur?sigma=1&output=x.png", "output", "unknown option --output", None),
            ("/blur?sigma=1&mask=/etc/passwd", "mask", "unknown option --mask", None),
            ("/blur?sigma=1&rects=/etc/passwd", "rects", "unknown option --rects", None),
            ("/effect/light?content=/etc/passwd", "content", "unknown option --content", None),
            ("/redact?key=/etc/passwd", "key", "unknown option --key", None),
            ("/blur?sigma=1&threads=64", "threads", "--threads does not apply", None),
            ("/blur?sigma=1&sandbox=0", "sandbox", "--sandbox does not apply", None),
            ("/blur?sigma=1&preset=nonsense", "preset", "unknown preset nonsense", None),
        ]:
            answer = server.request("POST", target, PNG).expect(400, "invalid-option")
            found = answer.json
            assert found["option"] == option and text in found["message"], (target, found)
            assert (found["range"] or "").startswith(limits or ""), (target, found)
        for target, status, code in [
            ("/", 405, "method-not-allowed"), ("/healthz", 405, "method-not-allowed"), ("/blr?sigma=1", 404, "not-found"),
            ("/effect/lihgt", 404, "not-found"), ("/effect", 404, "not-found"), ("/preset/none", 404, "not-found"),
            ("/blur?sigma=%zz", 400, "bad-target"), ("/blur?sigma=%00", 400, "bad-target"), ("/blur?%ff=1", 400, "bad-target"),
            ("/blur/../x?sigma=1", 400, "bad-target"), ("/blur//x", 400, "bad-target"), ("/blur/a%2fb", 400, "bad-target"),
            ("/blur/x.png?sigma=1", 405, "method-not-allowed"),
        ]:
            server.request("POST", target, PNG).expect(status, code)
        assert "did you mean light?" in server.request("POST", "/effect/lihgt", PNG).json["message"]
        for body, status, code in [
            (b"no picture at all", 415, "unknown-format"), (PNG[:200], 422, "damaged"),
            (b"P6\n40000 1\n255\n" + bytes(120_000), 413, "over-limit"), (b"", 415, "unknown-format"),
        ]:
            server.request("POST", "/blur?sigma=1", body).expect(status, code)
        server.request("POST", "/blur?sigma=1&rect=9000,9000,10,10", PNG).expect(422)


def page(frost):
    """The page loads nothing from elsewhere and runs no script but its own; --no-page removes it and what only it needs."""
    with Server(frost) as server:
        answer = server.request("GET", "/").expect(200)
        assert answer.headers["content-type"] == "text/html; charset=utf-8" and answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["referrer-policy"] == "no-referrer"
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
        assert policy["connect-src"] == "'self'" and policy["img-src"] == "'self' blob: data:"
        text = answer.body.decode()
        for element in ("script", "style"):
            content, = re.findall(f"<{element}>(.*?)</{element}>", text, re.S)
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            assert policy[f"{element}-src"] == f"'sha256-{digest}'", policy
        # All else that a page could load, and attributes with scripts or styles, which the policy would refuse.
        assert not re.search(r"https?://|<iframe|<script |@import|\bstyle=|\bon\w+=[\"']", text)
        assert len(answer.body) <= 100_000
        effects = server.request("GET", "/effects").expect(200).json
        listed = subprocess.run([frost, "effects", "--json"], stdout=subprocess.PIPE, text=True, check=True).stdout
        known = {item["name"]: item for item in map(json.loads, listed.splitlines())}
        assert [item["name"] for item in effects["effects"]] == ["blur", *known]
        for item in effects["effects"][1:]:
            options = {option["name"]: option for option in item["options"]}
            for parameter in known[item["name"]]["parameters"]:
                option = options[parameter["name"]]
                assert option["help"] == parameter["help"], (item["name"], option)
                if parameter["type"] == "number":
                    assert float(option["default"]) == parameter["default"], (item["name"], option)
                    assert all(option[key] == parameter[key] for key in ("minimum", "maximum", "unit")), (item["name"], option)
            # A request with the defaults is right.
            if not item["needsMask"]:
                server.request("POST", item["path"], PNG).expect(200)
            else:
                server.request("POST", item["path"], PNG).expect(400, "invalid-option")
        exact = server.request("POST", "/blur?sigma=4&exact", PNG).expect(200)
        assert exact.headers["frost-backend"] == "CPU, exact" and exact.headers["frost-error-bound"] == "0", exact.headers
        assert server.request("POST", "/blur?sigma=4", PNG).headers["frost-backend"] == "CPU"
    with Server(frost, "--no-page") as server:
        for target in ("/", "/effects"):
            server.request("GET", target).expect(404, "not-found")
        server.request("POST", "/blur?sigma=4&exact", PNG).expect(400, "invalid-option")


def open_command(frost):
    """frost open leads the browser to a page that nobody else can use, and removes the way to it at its end."""
    with tempfile.TemporaryDirectory(prefix="frost-open-") as name:
        folder = Path(name)
        picture, seen = folder / "a picture.png", folder / "seen"
        picture.write_bytes(PNG)
        # A browser that notes what it was asked to open.
        browser = folder / "xdg-open"
        browser.write_text(f'#!/bin/sh\nstat -c %a "$1" >"{seen}.new"\ncat "$1" >>"{seen}.new"\nmv "{seen}.new" "{seen}"\n')
        browser.chmod(0o755)
        env = {"DISPLAY": ":9", "XDG_RUNTIME_DIR": name, "PATH": f"{name}:{os.environ['PATH']}"}
        with Server(frost, command=["open", picture], env=env) as server:
            token = server.place.rsplit("/", 1)[1]
            assert re.fullmatch("[0-9a-f]{32}", token) and server.place.startswith("http://127.0.0.1:"), server.place
            deadline = time.monotonic() + 10
            while not seen.exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            mode, text = seen.read_text().split("\n", 1)
            assert mode == "600" and f"url={server.place}" in text, (mode, text)
            assert b"<title>Frost" in server.request("GET", f"/{token}").expect(200).body
            effects = server.request("GET", f"/{token}/effects").expect(200).json
            assert effects["isOpened"] and effects["picture"] == "a picture.png"
            shown = server.request("GET", f"/{token}/picture").expect(200)
            assert shown.body == PNG and shown.headers["content-type"] == "image/png"
            # frost open always decodes in the sandbox, whose limits end a process with a sanitizer.
            assert Server.always or server.request("POST", f"/{token}/blur?sigma=2", PNG).expect(200)
            other = token[:-1] + ("0" if token[-1] != "0" else "1")
            for target in ["/", "/effects", "/metrics", f"/{other}", f"/{other}/picture", f"/{token}0", f"/{token[:-1]}"]:
                server.request("GET", target).expect(404, "not-found")
            server.request("POST", "/blur?sigma=2", PNG).expect(404, "not-found")
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(20) == 0
            assert not list(folder.glob("frost-*.html"))
            # A reader of the log cannot use the page.
            log = server.log.read_text()
            assert token not in log and '"/.../effects"' in log, log
        with Server(frost, command=["open"], env={"DISPLAY": "", "WAYLAND_DISPLAY": ""}) as server:
            token = server.place.rsplit("/", 1)[1]
            assert server.request("GET", f"/{token}/effects").expect(200).json["picture"] is None
            server.request("GET", f"/{token}/picture").expect(404, "not-found")
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(20) == 0 and "open the address" in server.process.stderr.read()
        (folder / "text").write_text("no picture")
        for words, message in [(["none.png"], "No such file"), (["text"], "none of the formats"), (["a", "b"], "one picture")]:
            done = subprocess.run([frost, "open", *words], cwd=name, capture_output=True, text=True)
            assert done.returncode != 0 and message in done.stderr, done


# --- HTTP --------------------------------------------------------------------------------------------

def methods(frost):
    """RFC 9110, section 9: HEAD is GET without the body; other methods are refused, with the ones that are allowed."""
    with tempfile.TemporaryDirectory() as name, Server(frost, "--root", name) as server:
        Path(name, "a.png").write_bytes(PNG)
        for target in ["/", "/healthz", "/readyz", "/blur/a.png?sigma=2"]:
            get, head = (server.request(method, target).expect(200) for method in ("GET", "HEAD"))
            volatile = {"date", "x-request-id", "server-timing"}
            fields = [{k: v for k, v in answer.fields if k not in volatile} for answer in (get, head)]
            assert fields[0] == fields[1] and not head.body, (target, fields)
        for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
            for target, allowed in [("/blur?sigma=2", "POST"), ("/blur/a.png?sigma=2", "GET, HEAD"), ("/metrics", "GET, HEAD")]:
                answer = server.request(method, target).expect(405, "method-not-allowed")
                assert answer.headers["allow"] == allowed, (method, target, answer.headers)
        assert server.request("GET", "/blur?sigma=2").expect(405).headers["allow"] == "POST"
        assert server.request("HEAD", "/blur?sigma=2").expect(405).headers["allow"] == "POST"
        server.request("BREW", "/blur?sigma=2", PNG).expect(501, "unknown-method")


def framing(frost):
    """RFC 9112, sections 6 and 7: bodies of a known length and chunked ones; fields that contradict each other are refused."""
    with Server(frost, "--max-body", "1M") as server:
        plain = server.request("POST", "/blur?sigma=4", PNG).expect(200).body
        head = message("POST", "/blur?sigma=4", headers={"Transfer-Encoding": "chunked"})
        chance = random.Random(1)
        chunks, place = b"", 0
        while place < len(PNG):
            part = PNG[place : place + chance.randrange(1, 3000)]
            chunks += f"{len(part):X};name=value\r\n".encode() + part + b"\r\n"
            place += len(part)
        with server.connect() as client:
            stream = client.makefile("rb")
            client.sendall(head + chunks + b"0\r\nTrailer: ignored\r\n\r\n")
            assert Response(stream).expect(200).body == plain
            # The connection is kept, and the next request on it is understood.
            client.sendall(message("GET", "/healthz"))
            Response(stream).expect(200)
        server.request("POST", "/blur?sigma=4").expect(411, "length-required")
        for fields in [
            {"Content-Length": "10", "Transfer-Encoding": "chunked"}, {"Content-Length": "+10"}, {"Content-Length": "1e3"},
            {"Content-Length": "-1"}, {"Content-Length": "10, 11"}, {"Content-Length": "99999999999999999999999"},
        ]:
            answer = server.raw(message("POST", "/blur?sigma=4", headers=fields) + b"0\r\n\r\n12345")
            assert re.match(rb"HTTP/1.1 4(00|13) ", answer), (fields, answer[:200])
        twice = b"POST /blur?sigma=4 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12"
        assert server.raw(twice).startswith(b"HTTP/1.1 400 ")
        gzip = server.raw(message("POST", "/blur?sigma=4", headers={"Transfer-Encoding": "gzip, chunked"}) + b"0\r\n\r\n")
        assert re.match(rb"HTTP/1.1 (400|501) ", gzip), gzip[:100]
        old = server.raw(message("POST", "/blur?sigma=4", PNG, version="HTTP/1.0"))
        assert old.startswith(b"HTTP/1.") and b" 200 " in old[:20] and old.endswith(plain), old[:100]
        # A chunked body that grows over the limit.
        over = head + b"100000\r\n" + bytes(0x100000) + b"\r\n10\r\n" + bytes(16) + b"\r\n0\r\n\r\n"
        with server.connect() as client:
            client.sendall(over)
            Response(client.makefile("rb")).expect(413, "too-large")


def continues(frost):
    """RFC 9110, section 10.1.1: a client that expects 100 gets it before it sends the body, or a final status instead."""
    with Server(frost, "--max-body", "1M") as server:
        with server.connect() as client:
            stream = client.makefile("rb")
            client.sendall(message("POST", "/blur?sigma=4", headers={
                "Content-Length": str(len(PNG)), "Expect": "100-continue"}))
            assert Response(stream, skips_continue=False).status == 100
            client.sendall(PNG)
            Response(stream).expect(200)
        for target, length, status in [("/blur?sigma=-1", 10, 400), ("/blur?sigma=4", 2 << 20, 413), ("/none", 10, 404)]:
            with server.connect() as client:
                client.sendall(message("POST", target, headers={
                    "Content-Length": str(length), "Expect": "100-continue"}))
                answer = Response(client.makefile("rb"), skips_continue=False).expect(status)
                assert answer.headers["connection"] == "close" and client.recv(1) == b""


def conditions(frost):
    """RFC 9110, section 13: entity tags change with the source, the options and the format, and with nothing else."""
    with tempfile.TemporaryDirectory() as name, Server(frost, "--root", name, "--max-age", "60") as server:
        source = Path(name, "a.png")
        source.write_bytes(PNG)
        target = "/blur/a.png?sigma=2"
        first = server.request("GET", target).expect(200)
        tag = first.headers["etag"]
        assert re.fullmatch(r'"[0-9a-f]{32}"', tag) and first.headers["cache-control"] == "public, max-age=60"
        assert server.request("GET", target).headers["etag"] == tag
        for value in [tag, f"W/{tag}", f'"x", {tag}', "*", f'"a,b" , {tag},']:
            for method in ("GET", "HEAD"):
                known = server.request(method, target, headers={"If-None-Match": value}).expect(304)
                assert known.headers["etag"] == tag and known.headers["vary"] == "Accept", known.headers
                assert known.headers["content-length"] == first.headers["content-length"], known.headers
                assert "transfer-encoding" not in known.headers and "content-type" not in known.headers
        # A 304 has nothing but its header, so the next response on the connection begins behind it.
        with server.connect() as client:
            client.sendall(message("GET", target, headers={"If-None-Match": tag}) + message("GET", "/healthz"))
            stream = client.makefile("rb")
            Response(stream).expect(304)
            Response(stream).expect(200)
        with Server(frost, "--root", name) as fresh, fresh.connect() as client:
            client.sendall(message("GET", target, headers={"If-None-Match": tag}))
            answer = drain(client)
            assert b" 304 " in answer[:20] and answer.endswith(b"\r\n\r\n"), answer
            assert b"Content-Length" not in answer and b"chunked" not in answer, answer
        for value in ['"x"', tag.strip('"'), f'"{tag}', ""]:
            server.request("GET", target, headers={"If-None-Match": value}).expect(200)
        server.request("GET", target, headers={"If-Match": tag}).expect(200)
        server.request("GET", target, headers={"If-Match": "*"}).expect(200)
        for value in ['"x"', f"W/{tag}"]:
            server.request("GET", target, headers={"If-Match": value}).expect(412, "changed")
        # A time is no condition, because a new version of Frost changes the result without a change of the source.
        late = "Fri, 01 Jan 2100 00:00:00 GMT"
        server.request("GET", target, headers={"If-Modified-Since": late}).expect(200)
        other = {server.request("GET", place, headers=fields).expect(200).headers["etag"] for place, fields in [
            ("/blur/a.png?sigma=3", {}), ("/blur/a.png?sigma=2&linear", {}), (target, {"Accept": "image/webp"}),
            ("/effect/light/a.png", {}), ("/blur/a.png?sigma=2&format=png", {})]}
        assert len(other) == 5 and tag not in other
        # A change of the same size and the same time of modification is still a change.
        status = source.stat()
        source.write_bytes(PNG[:-1] + b"\0")
        os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
        answer = server.request("GET", target, headers={"If-None-Match": tag})
        assert answer.status != 304, answer.headers
        part = server.request("GET", "/blur/a.png?sigma=9", headers={"Range": "bytes=0-9"})
        source.write_bytes(PNG)
        part = server.request("GET", "/blur/a.png?sigma=9", headers={"Range": "bytes=0-9"}).expect(200)
        assert int(part.headers["content-length"]) > 10


def hosts(frost):
    """A page whose name resolves to the server (DNS rebinding) gets nothing, and neither does a page of another origin."""
    with tempfile.TemporaryDirectory() as name, Server(frost, "--root", name, "--host", "img.example") as server:
        Path(name, "a.png").write_bytes(PNG)
        own = f"127.0.0.1:{server.port}"
        for host in [own, "localhost", "LOCALHOST:80", "[::1]:8080", "192.0.2.7", "img.example:443", "img.example.", "a.localhost"]:
            server.request("GET", "/healthz", headers={"Host": host}).expect(200)
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "img.example.evil", "256.0.0.1", "1.2.3"]:
            server.request("GET", "/healthz", headers={"Host": host}).expect(421, "wrong-host")
            server.request("GET", f"http://{host}/healthz").expect(421, "wrong-host")
        for host in ["a b", "a/b", "[::1", "a:b", ""]:
            assert server.request("GET", "/healthz", headers={"Host": host}).status == 400, host
        assert server.raw(b"GET /healthz HTTP/1.1\r\nHost: a.localhost\r\nHost: b.localhost\r\n\r\n", end=True).startswith(
            b"HTTP/1.1 400 ")
        assert server.raw(b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400 ")
        assert b" 200 " in server.raw(b"GET /healthz HTTP/1.0\r\n\r\n")[:20]
        server.request("GET", "http://localhost/healthz").expect(200)
        server.request("POST", "/blur?sigma=1", PNG, {"Host": own, "Origin": f"http://{own}"}).expect(200)
        for origin in ["http://evil.example", "null", f"http://{own}.evil", "http://localhost"]:
            server.request("POST", "/blur?sigma=1", PNG, {"Host": own, "Origin": origin}).expect(403, "wrong-origin")
        server.request("GET", "/blur/a.png?sigma=1", headers={"Sec-Fetch-Site": "cross-site"}).expect(403, "wrong-origin")
        server.request("GET", "/blur/a.png?sigma=1", headers={"Sec-Fetch-Site": "none"}).expect(200)


# --- Sources -----------------------------------------------------------------------------------------

def sources(frost):
    """Nothing outside the folder of --root can be read: by no path, no symbolic link and no kind of file."""
    with tempfile.TemporaryDirectory() as name:
        root, outside = Path(name, "root"), Path(name, "outside")
        for folder in (root / "sub", outside):
            folder.mkdir(parents=True)
        secret = b"P5 2 2 255\nabcd"
        for path in (outside / "secret.pgm", root / "sub/a b.pgm", root / "in.pgm", root / b"\xff.pgm".decode("utf-8", "surrogateescape")):
            path.write_bytes(secret)
        (root / "leads-out.pgm").symlink_to("../outside/secret.pgm")
        (root / "absolute.pgm").symlink_to(outside / "secret.pgm")
        (root / "out").symlink_to("../outside")
        (root / "inside.pgm").symlink_to("sub/a b.pgm")
        (root / "proc").symlink_to("/proc/self/cwd")
        (root / "loop").symlink_to("loop")
        os.mkfifo(root / "pipe")
        (root / "hard.pgm").hardlink_to(root / "in.pgm")
        with socket.socket(socket.AF_UNIX) as own, Server(frost, "--root", root) as server:
            own.bind(str(root / "socket"))
            for path in ["in.pgm", "sub/a%20b.pgm", "inside.pgm", "%FF.pgm", "hard.pgm"]:
                server.request("GET", f"/blur/{path}?sigma=1").expect(200)
            for path in ["leads-out.pgm", "absolute.pgm", "out/secret.pgm", "proc/x.pgm", "loop", "pipe", "socket", "sub", "none.pgm",
                         "in.pgm/x", "x" * 300, "a/" * 200 + "b", "sub/..%00", "dev/null"]:
                assert server.request("GET", f"/blur/{path}?sigma=1").status in (400, 404), path
            for path in ["../outside/secret.pgm", "%2e%2e/outside/secret.pgm", "sub/../../outside/secret.pgm", "..%2foutside/secret.pgm",
                         "./in.pgm", "/etc/passwd", "sub//a%20b.pgm", "%2Fetc%2Fpasswd", "..%5coutside"]:
                assert server.request("GET", f"/blur/{path}?sigma=1").status in (400, 404), path
        with Server(frost) as server:
            server.request("GET", "/blur/in.pgm?sigma=1").expect(404, "not-found")


def signatures(frost):
    """With --sign, a source is sent only for its own path and options; a signature for others is worth nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.png").write_bytes(PNG)
        (folder / "b.png").write_bytes(PNG)
        (folder / "key").write_bytes(KEY + b"\n")
        with Server(frost, "--root", folder, "--sign", folder / "key") as server:
            good = signed(KEY, "/blur/a.png", "sigma=4", "format=webp")
            server.request("GET", good).expect(200)
            server.request("GET", good, headers={"Sec-Fetch-Site": "cross-site"}).expect(200)
            # The order of the options does not matter, because they are signed sorted.
            path, _, query = good.partition("?")
            server.request("GET", path + "?" + "&".join(reversed(query.split("&")))).expect(200)
            server.request("GET", good.upper().replace("/BLUR/A.PNG?SIGMA=4&FORMAT=WEBP&SIGNATURE", "/blur/a.png?sigma=4&format=webp&signature")).expect(200)
            server.request("GET", good.replace("signature", "sign%61ture")).expect(200)
            server.request("GET", signed(KEY, "/redact/a.png")).expect(200)
            for bad in [
                good.replace("a.png", "b.png"), good.replace("sigma=4", "sigma=5"), good + "&edge=mirror", good[:-1],
                good[:-1] + ("0" if good[-1] != "0" else "1"), "/blur/a.png?sigma=4&format=webp", good.replace("signature", "signatur"),
                good + "&signature=" + "0" * 64, signed(b"x" * 40, "/blur/a.png", "sigma=4"), "/blur/a.png?signature=",
                good.replace("/blur/", "/effect/light/"), good.replace("sigma=4", "sigma=%34"),
            ]:
                server.request("GET", bad).expect(403, "bad-signature")
            # The log does not help to repeat a request.
            assert not re.search(r"(signature|sign%61ture)=[0-9a-f]{64}", server.log.read_text()) and server.records(3)
            server.request("POST", "/blur?sigma=4", PNG).expect(200)
        # The example of docs/Server.md.
        text = "/blur/a.png?format=webp&sigma=4"
        done = subprocess.run(["openssl", "dgst", "-sha256", "-hmac", KEY.decode(), "-r"], input=text, text=True,
                              capture_output=True, check=True)
        assert done.stdout.split()[0] == good.rsplit("=", 1)[1]
        for words, reason in [
            (["--root", folder, "--listen", "0.0.0.0:0"], "--root needs --sign"), (["--sign", folder / "key"], "--sign needs --root"),
            (["--root", folder, "--listen", f"unix:{folder}/socket"], "--root needs --sign"),
            (["--root", folder / "none"], "No such file"), (["--root", folder, "--sign", os.devnull], "a key has 16"),
            (["--listen", "nonsense"], "must be ADDRESS:PORT"), (["--listen", "1.2.3.4"], "must be ADDRESS:PORT"),
            (["--listen", "example.org:80"], "must be ADDRESS:PORT"), (["operand"], "unexpected operand"),
        ]:
            done = subprocess.run([frost, "serve", *words], capture_output=True, text=True, timeout=20)
            assert done.returncode in (2, 3) and reason in done.stderr and not done.stdout, (words, done)


# --- Limits ------------------------------------------------------------------------------------------

def limits(frost):
    """Bodies, pixels, memory, formats and options over a limit are refused, each with its status."""
    with Server(frost, "--max-body", "100K", "--max-pixels", "10000", "--allow", "png,ppm,webp") as server:
        server.request("POST", "/blur?sigma=1", bytes(200_000)).expect(413, "too-large")
        server.request("POST", "/blur?sigma=1", bytes(20_000_000)).expect(413, "too-large")
        server.request("POST", "/blur?sigma=1", b"P6\n101 100\n255\n" + bytes(30_300)).expect(413, "over-limit")
        server.request("POST", "/blur?sigma=1", b"P6\n100 100\n255\n" + bytes(30_000)).expect(200)
        server.request("POST", "/blur?sigma=1", b"P5\n9 9\n255\n" + bytes(81)).expect(415, "format-not-allowed")
        refused = server.request("POST", "/blur?sigma=1&format=jpeg", b"P6\n1 1\n255\nabc").expect(400, "invalid-option").json
        assert refused["range"] == "png, ppm, webp", refused
        body, headers = form(("picture", "a", b"P6\n1 1\n255\nabc"), ("format", None, b"jpeg"))
        server.request("POST", "/blur?sigma=1", body, headers).expect(400, "invalid-option")
        body, headers = form(("picture", "a", b"P6\n1 1\n255\nabc"), ("mask", "m", b"P6\n200 200\n255\n" + bytes(120_000)))
        server.request("POST", "/blur?sigma=1", body, headers).expect(413)
        for other in ("mask", "content"):
            body, headers = form(("picture", "a", b"P6\n1 1\n255\nabc"), (other, "m", b"P5\n9 9\n255\n" + bytes(81)))
            server.request("POST", "/blur?sigma=1", body, headers).expect(415, "format-not-allowed")
        answer = server.request("POST", "/blur?sigma=1", b"P6\n1 1\n255\nabc", {"Accept": "image/jpeg,image/webp;q=0.1"})
        assert answer.expect(200).headers["content-type"] == "image/webp"
    with Server(frost, "--max-memory", "60M") as server:
        server.request("POST", "/effect/zoom?amount=2", b"P6\n2000 2000\n255\n" + bytes(12_000_000)).expect(413, "over-limit")
        # Bodies that do not fit beside each other are refused before they are read.
        with server.connect() as client:
            client.sendall(message("POST", "/blur?sigma=1", headers={"Content-Length": "25000000"}))
            time.sleep(0.2)
            refused = server.request("POST", "/blur?sigma=1", headers={"Content-Length": "25000000"}).expect(429, "memory")
            assert int(refused.headers["retry-after"]) >= 1
            assert server.metric("frost_memory_bytes") == 25_000_000
        deadline = time.monotonic() + 5
        while server.metric("frost_memory_bytes") and time.monotonic() < deadline:
            time.sleep(0.05)
        assert server.metric("frost_memory_bytes") == 0
    with Server(frost, "--max-time", "0.05") as server:
        server.request("POST", SLOW_TARGET, SLOW).expect(503, "over-time")
    with Server(frost, "--presets-only") as server:
        server.request("POST", "/preset/lock-screen", PNG).expect(200)
        server.request("POST", "/preset/lock-screen?format=webp", PNG).expect(200)
        # The page sends other requests, so there is none.
        server.request("GET", "/").expect(404)
        server.request("GET", "/effects").expect(404)
        server.request("POST", "/preset/lock-screen?sigma=900", PNG).expect(400, "presets-only")
        server.request("POST", "/blur?sigma=1", PNG).expect(404, "not-found")
        server.request("POST", "/blur?preset=lock-screen", PNG).expect(404, "not-found")
        # The fields of a form are options too.
        body, headers = form(("picture", "a.png", PNG), ("sigma", None, b"900"))
        server.request("POST", "/preset/lock-screen", body, headers).expect(400, "presets-only")
        body, headers = form(("picture", "a.png", PNG), ("format", None, b"webp"))
        server.request("POST", "/preset/lock-screen", body, headers).expect(200)


def crowd(frost):
    """Many requests at the same time get 200, 429 or 503, and nothing else; the queue stays within its limit."""
    with Server(frost, "--max-queue", "8") as server:
        answers = together(256, lambda _: server.request("POST", "/blur?sigma=2", PNG, timeout=60))
        codes = {answer.status for answer in answers}
        assert codes <= {200, 429, 503} and 200 in codes, codes
        for answer in answers:
            if answer.status != 200:
                assert answer.headers["retry-after"].isdigit() and answer.json["code"], answer.headers
        server.request("POST", "/blur?sigma=2", PNG).expect(200)
        assert server.metric("frost_memory_bytes") == 0 and server.metric("frost_queue_length") == 0


def connections(frost):
    """More connections than allowed wait or are closed, and the others work."""
    with Server(frost, "--max-connections", "8", "--max-connections-per-address", "4") as server:
        clients = [server.connect() for _ in range(4)]
        for client in clients:
            client.sendall(message("GET", "/healthz"))
            Response(client.makefile("rb")).expect(200)
        with server.connect(5) as extra:
            try:
                extra.sendall(message("GET", "/healthz"))
                assert extra.recv(10) == b""
            except ConnectionResetError:
                pass
        for client in clients:
            client.close()
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            try:
                server.request("GET", "/healthz").expect(200)
                return
            except (AssertionError, OSError):
                time.sleep(0.05)
        raise AssertionError("no connection is possible after the others were closed")


def slow_clients(frost):
    """A client that sends slowly, or reads slowly, is cut off in time, however often it sends a byte."""
    with Server(frost, "--max-transfer-time", "2") as server:
        for data in [b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 1000,
                     message("POST", "/blur?sigma=1", headers={"Content-Length": "1000"}) + bytes(1000)]:
            with server.connect() as client:
                began = time.monotonic()
                try:
                    for index in range(len(data) - 1):
                        client.sendall(data[index : index + 1])
                        if index > 100:
                            time.sleep(0.1)
                        if time.monotonic() - began > 8:
                            raise AssertionError("the client is not cut off")
                except (BrokenPipeError, ConnectionResetError):
                    pass
                assert 1.5 < time.monotonic() - began < 6
        # A client that does not read its response.
        noise = random.Random(3).randbytes(12_000_000)
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            client.sendall(message("POST", "/blur?sigma=0&format=ppm", b"P6\n2000 2000\n255\n" + noise))
            time.sleep(5)
            assert server.metric("frost_memory_bytes") == 0
            client.settimeout(10)
            assert len(drain(client)) < 12_000_000
        server.request("GET", "/healthz").expect(200)


def unread_responses(frost):
    """Results that clients do not read count for the memory, and a result that finds no room is answered with 429."""
    with Server(frost, "--max-memory", "60M") as server:
        flat = b"P6\n1500 1500\n255\n" + bytes(3 * 1500 * 1500)
        flat = server.request("POST", "/blur?sigma=1&format=png", flat).expect(200).body
        clients = []
        for _ in range(4):
            client = socket.socket()
            client.settimeout(30)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            client.sendall(message("POST", "/blur?sigma=1&format=ppm", flat))
            assert client.recv(12, socket.MSG_PEEK).startswith(b"HTTP/1.1 200")
            clients.append(client)
        assert server.metric("frost_memory_bytes") >= 4 * 3 * 1500 * 1500
        refused = server.request("POST", "/blur?sigma=1&format=ppm", flat).expect(429, "memory")
        assert int(refused.headers["retry-after"]) >= 1
        # Small results still find room.
        server.request("POST", "/blur?sigma=1", PNG).expect(200)
        for client in clients:
            client.close()
        deadline = time.monotonic() + 5
        while server.metric("frost_memory_bytes") and time.monotonic() < deadline:
            time.sleep(0.05)
        assert server.metric("frost_memory_bytes") == 0
        server.request("POST", "/blur?sigma=1&format=ppm", flat).expect(200)


def disconnects(frost):
    """The work for a client that has gone ends, and its memory is free again."""
    with Server(frost, "--jobs", "1", "--threads", "1") as server:
        for _ in range(3):
            with server.connect() as client:
                client.sendall(message("POST", SLOW_TARGET, SLOW))
                time.sleep(0.5)
            began = time.monotonic()
            while server.metric("frost_requests_in_progress"):
                assert time.monotonic() - began < 5, "the work goes on"
                time.sleep(0.02)
            assert server.metric("frost_memory_bytes") == 0
        # One of the queue that has gone is not worked on at all.
        with server.connect() as first, server.connect() as second:
            for client in (first, second):
                client.sendall(message("POST", SLOW_TARGET, SLOW))
            time.sleep(0.5)
        began = time.monotonic()
        server.request("POST", "/blur?sigma=1", PNG).expect(200)
        assert time.monotonic() - began < 5
        # Those that wait leave the queue, although the worker is busy.
        with server.connect() as first:
            first.sendall(message("POST", SLOW_TARGET, SLOW))
            time.sleep(0.2)
            with server.connect() as client:
                client.sendall(message("POST", "/blur?sigma=1", PNG))
                time.sleep(0.1)
                assert server.metric("frost_queue_length") == 1
            began = time.monotonic()
            while server.metric("frost_queue_length"):
                assert time.monotonic() - began < 0.5
            assert server.metric("frost_requests_in_progress") == 1
        assert all(record["status"] == 499 for record in server.records(3) if record["effect"] == "zoom")
        # A client that leaves in the middle of its body.
        with server.connect() as client:
            client.sendall(message("POST", "/blur?sigma=1", headers={"Content-Length": "1000"}) + b"x")
        server.request("GET", "/healthz").expect(200)


# --- Operation ---------------------------------------------------------------------------------------

def state(frost):
    """Health, readiness, metrics and the log tell what happens."""
    with Server(frost) as server:
        assert server.request("GET", "/healthz").expect(200).json == {"status": "alive"}
        assert server.request("GET", "/readyz").expect(200).json == {"status": "ready"}
        answer = server.request("POST", "/blur?sigma=3", PNG, {"X-Request-Id": "a-1.B_2"}).expect(200)
        assert answer.headers["x-request-id"] == "a-1.B_2"
        own = server.request("POST", "/blur?sigma=3", b"x", {"X-Request-Id": "no good\""}).expect(415).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{16}", own)
        text = server.request("GET", "/metrics").expect(200)
        assert text.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = text.body.decode().splitlines()
        name = r"[a-z_]+(\{[a-z]+=\"[^\"]*\"(,[a-z]+=\"[^\"]*\")*\})?"
        assert all(line.startswith(("# HELP ", "# TYPE ")) or re.fullmatch(rf"{name} [0-9.e+-]+", line) for line in lines), lines
        assert 'frost_requests_total{code="200",effect="blur"} 1' in lines
        assert 'frost_requests_total{code="415",effect="blur"} 1' in lines
        assert f"frost_received_bytes_total {len(PNG) + 1}" in lines, lines
        assert "frost_memory_bytes 0" in lines and 'frost_request_seconds_bucket{le="+Inf"} 2' in lines
        record = next(record for record in server.records(5) if record["id"] == "a-1.B_2")
        assert record["status"] == 200 and record["effect"] == "blur" and record["received"] == len(PNG)
        assert record["bytes"] == len(answer.body) and record["ms"] > 0 and record["client"] == "127.0.0.1"
        assert server.request("GET", "/").expect(200).headers["content-type"].startswith("text/html")
    with Server(frost, "--no-page") as server:
        server.request("GET", "/").expect(404, "not-found")


def readiness(frost):
    """A server that cannot start decoders is alive and not ready."""
    if Server.always:
        raise Skipped("without the sandbox, a server needs no decoders")
    with Server(frost) as server, server.connect() as client:
        stream = client.makefile("rb")
        client.sendall(message("GET", "/healthz"))
        Response(stream).expect(200)
        # From now on, the process can open no file, and so start no process.
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (3, 4096))
        client.sendall(message("GET", "/readyz"))
        assert "cannot be isolated" in Response(stream).expect(503, "not-ready").json["message"]
        client.sendall(message("GET", "/healthz"))
        Response(stream).expect(200)
        client.sendall(message("POST", "/blur?sigma=1", PNG))
        Response(stream).expect(500, "internal")
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (4096, 4096))
        time.sleep(1.1)
        client.sendall(message("GET", "/readyz"))
        Response(stream).expect(200)


def unit(frost):
    """The unit of systemd is valid, and leaves few rights."""
    if not shutil.which("systemd-analyze"):
        raise Skipped("systemd-analyze is not installed")
    if Server.always:
        raise Skipped("the unit needs the sandbox")
    with tempfile.TemporaryDirectory() as name:
        text = (ROOT / "docs/frost.service").read_text()
        # The manual page is not installed here.
        text = re.sub("^Documentation=.*\n", "", text.replace("/usr/bin/frost", frost), flags=re.MULTILINE)
        path = Path(name, "frost.service")
        path.write_text(text)
        done = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done
        done = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=20", path], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-300:]
        # The options of the unit are those of the command.
        words = re.search("^ExecStart=\\S+ serve (.*)$", text, re.MULTILINE)[1].split()
        with Server(frost, *words[2:]) as server:
            server.request("GET", "/readyz").expect(200)


def slow_tools(frost):
    """While slowhttptest holds connections open, other requests are answered."""
    if not shutil.which("slowhttptest"):
        raise Skipped("slowhttptest is not installed")
    with Server(frost, "--max-transfer-time", "3") as server:
        for mode in (["-H"], ["-B", "-t", "POST"], ["-X", "-w", "1", "-y", "2"]):
            with tempfile.TemporaryDirectory() as name, subprocess.Popen(
                    ["slowhttptest", *mode, "-c", "200", "-r", "100", "-i", "1", "-l", "6", "-u",
                     f"http://127.0.0.1:{server.port}/blur?sigma=1"], cwd=name, stdout=subprocess.DEVNULL) as attack:
                time.sleep(3)
                for _ in range(5):
                    server.request("POST", "/blur?sigma=1", PNG, timeout=5).expect(200)
                attack.wait(60)
        assert server.metric("frost_memory_bytes") == 0


def examples(frost):
    """The examples of the help are valid: each server starts. Their addresses are replaced by free ones."""
    done = subprocess.run([frost, "reference", "json"], capture_output=True, text=True, check=True)
    lines = [line for command in json.loads(done.stdout)["commands"] if command["name"] == "serve" for line in command["examples"]]
    assert len(lines) > 3, lines
    with tempfile.TemporaryDirectory() as name:
        Path(name, "photos").mkdir()
        Path(name, "key").write_bytes(KEY)
        for line in lines:
            words = [str(Path(name, word)) if word in ("photos/", "key") else word for word in shlex.split(line)[2:]]
            listen = "127.0.0.1:0"
            if "--listen" in words:
                place = words.index("--listen")
                given = words[place + 1]
                listen = f"unix:{name}/socket" if given.startswith("unix:") else given.rsplit(":", 1)[0] + ":0"
                del words[place : place + 2]
            with Server(frost, *words, listen=listen) as server:
                server.request("GET", "/readyz").expect(200)


def listening(frost):
    """A taken port, a taken socket file and a wrong address end the command with 2 and a reason."""
    with Server(frost) as server:
        done = subprocess.run([frost, "serve", "--listen", f"127.0.0.1:{server.port}"], capture_output=True, text=True, timeout=20)
        assert done.returncode == 2 and "Address already in use" in done.stderr and not done.stdout, done
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "socket")
        with Server(frost, listen=f"unix:{path}") as server:
            assert server.place == f"unix:{path}"
            server.request("POST", "/blur?sigma=2", PNG).expect(200)
            assert server.records(1)[0]["client"] == "unix"
            done = subprocess.run([frost, "serve", "--listen", f"unix:{path}"], capture_output=True, text=True, timeout=20)
            assert done.returncode == 2 and "Address already in use" in done.stderr, done
            server.process.kill()
            server.process.wait()
        assert path.exists()
        with Server(frost, listen=f"unix:{path}") as server:
            server.request("GET", "/healthz").expect(200)
        assert not path.exists()
        path.write_text("a file that is not a socket")
        done = subprocess.run([frost, "serve", "--listen", f"unix:{path}"], capture_output=True, text=True, timeout=20)
        assert done.returncode == 2 and path.read_text() == "a file that is not a socket", done
    with Server(frost, listen="[::1]:0") as server, socket.create_connection(("::1", server.port)) as client:
        client.sendall(message("GET", "/healthz"))
        Response(client.makefile("rb")).expect(200)


def draining(frost):
    """After SIGTERM, requests that have begun are finished, new ones get 503, and the command ends with 0."""
    with Server(frost) as server:
        with server.connect() as working, server.connect() as idle, server.connect() as sending:
            stream = idle.makefile("rb")
            idle.sendall(message("GET", "/healthz"))
            Response(stream).expect(200)
            working.sendall(message("POST", SLOW_TARGET, SLOW))
            body = message("POST", "/blur?sigma=2", PNG)
            sending.sendall(body[:-10])
            time.sleep(0.5)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            try:
                server.connect(1).close()
                raise AssertionError("a connection is accepted")
            except ConnectionRefusedError:
                pass
            idle.sendall(message("GET", "/readyz"))
            Response(stream).expect(503, "draining")
            idle.sendall(message("POST", "/blur?sigma=2", PNG))
            assert Response(stream).expect(503, "draining").headers["connection"] == "close"
            sending.sendall(body[-10:])
            Response(sending.makefile("rb")).expect(200)
            Response(working.makefile("rb")).expect(200)
        assert server.process.wait(10) == 0, server.process.stderr.read()
    # Requests that take longer than the drain time are cut off.
    def busy(server):
        clients = [server.connect() for _ in range(6)]
        for client in clients:
            client.sendall(message("POST", SLOW_TARGET, SLOW))
        deadline = time.monotonic() + 10
        while server.metric("frost_queue_length") < 5:
            assert time.monotonic() < deadline
        return clients

    with Server(frost, "--drain-time", "0", "--jobs", "1") as server:
        clients = busy(server)
        began = time.monotonic()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(15) == 1 and time.monotonic() - began < 10, server.process.returncode
        for client in clients:
            assert drain(client)[9:12] in (b"", b"503")
            client.close()
    # A second signal ends at once.
    with Server(frost, "--jobs", "1") as server:
        clients = busy(server)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(5) == -signal.SIGTERM, server.process.returncode
        for client in clients:
            client.close()


def without_library(frost):
    """Without libmicrohttpd, the command names the package, and everything else works."""
    with tempfile.TemporaryDirectory() as name:
        # A file of this name that is no library stands in front of the real one.
        Path(name, "libmicrohttpd.so.12").write_bytes(b"")
        done = subprocess.run([frost, "serve", "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=20,
                              env={**os.environ, "LD_LIBRARY_PATH": name})
        assert done.returncode == 2 and "libmicrohttpd.so.12" in done.stderr, done
        done = subprocess.run([frost, "--version"], capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": name})
        assert done.returncode == 0


# --- Malformed requests ------------------------------------------------------------------------------

SEEDS = [
    message("GET", "/healthz"), message("GET", "/blur/a.png?sigma=2", headers={"If-None-Match": '"a", W/"b"', "Range": "bytes=0-1"}),
    message("POST", "/blur?sigma=2&tint=black%2C0.3", b"P5 2 2 255\nabcd", {"Accept": "image/webp;q=0.5, */*"}),
    message("POST", "/redact", form(("picture", "a", b"P5 2 2 255\nabcd"), ("rect", None, b"0,0,1,1"))[0],
            form(boundary="frost-boundary")[1]),
    message("POST", "/effect/light", headers={"Transfer-Encoding": "chunked"}) + b"f\r\nP5 2 2 255\nabcd\r\n0\r\n\r\n",
    message("GET", "http://localhost/metrics"), message("HEAD", "/readyz"), message("OPTIONS", "*"),
]
PIECES = [b"\r\n", b"\n", b"\0", b" ", b":", b"%", b"%00", b"%ff", b"..", b"/", b"?", b"&", b"=", b"Content-Length: 5\r\n",
          b"Transfer-Encoding: chunked\r\n", b"Host: \r\n", b"\xff\xfe", b"HTTP/9.9", b"a" * 5000, b"--frost-boundary", b"\"", b"\t", b"#",
          b"Expect: 100-continue\r\n", b"Connection: close\r\n", b"0\r\n\r\n", b"ffffffffffffffff\r\n", b"-1", b"99999999999999999999"]


def mutated(chance):
    data = bytearray(chance.choice(SEEDS))
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            data[place:place] = chance.choice(PIECES)
        elif kind == 1:
            del data[place : place + chance.randrange(1, 20)]
        elif kind == 2 and place < len(data):
            data[place] = chance.randrange(256)
        else:
            data[place:place] = data[chance.randrange(len(data) + 1) :][: chance.randrange(60)]
    return bytes(data)


def malformed(frost, count):
    """Malformed requests crash nothing, leak nothing, and the server still answers the next request."""
    with Server(frost, "--max-transfer-time", "5", *([] if Server.always else ["--no-sandbox"])) as server:
        before = None

        def send(index):
            chance = random.Random(index)
            for _ in range(count // 256):
                with server.connect(10) as client:
                    try:
                        client.sendall(mutated(chance))
                        client.shutdown(socket.SHUT_WR)
                        drain(client)
                    except (BrokenPipeError, ConnectionResetError):
                        pass

        for turn in range(4):
            together(64, lambda index: send(64 * turn + index))
            assert server.process.poll() is None, server.process.stderr.read()[-2000:]
            server.request("POST", "/blur?sigma=1", PNG).expect(200)
            if turn == 0:
                before = server.memory()
        assert server.metric("frost_memory_bytes") == 0
        # A sanitizer keeps memory that was freed.
        assert Server.always or server.memory() - before < 8 << 20, (before, server.memory())
        descriptors = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        assert descriptors < 100, descriptors


def memory(frost, count):
    """The memory of the server does not grow with the number of requests."""
    with Server(frost) as server:
        def send(index):
            with server.connect(60) as client:
                stream = client.makefile("rb")
                for turn in range(count // 4):
                    client.sendall(message("POST", f"/blur?sigma={1 + turn % 7}", PNG))
                    Response(stream).expect(200)
        together(2, send)
        before = server.memory()
        together(4, send)
        assert Server.always or server.memory() - before < 8 << 20, (before, server.memory())


def main():
    cases = Cases("serve", __doc__, [
        ("--sanitized", {"action": "store_true", "help": "the binary has a sanitizer, which the limits of sandboxes end"})])
    if cases.options.sanitized:
        Server.always = ["--no-sandbox"]
    frost, quick = cases.frost, cases.options.quick
    for function in (same_as_command, forms, transitions, accept, refusals, page, open_command, methods, framing, continues, conditions, hosts, sources,
                     signatures, limits, crowd, connections, slow_clients, unread_responses, slow_tools, disconnects, state, readiness, unit, examples,
                     listening, draining, without_library):
        cases.run(function.__name__.replace("_", " "), function, frost)
    cases.run("malformed requests", malformed, frost, 10_000 if quick else 1_000_000)
    cases.run("memory", memory, frost, 400 if quick else 4000)
    cases.finish()


if __name__ == "__main__":
    main()
