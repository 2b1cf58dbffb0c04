#!/usr/bin/env python3
"""Opens the page of `frost serve` in a headless Chromium and operates it.

    playground.py --frost PATH [--only TEXT] [--junit FILE]

The page asks only its own server, runs without errors, fits a phone, is readable in light and in dark mode, and can be used by
mouse, by keyboard and with assistive technology. What it shows is what the server computes for the options on the page. The
test needs only Python and Chromium; without Chromium all cases are skipped. FROST_SHOTS names a folder for screenshots.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from browser import CONTRAST, NAMELESS, browser_cases
from report import Cases
from serving import ROOT, Server, form

# Whether the page is idle and shows the complete picture.
READY = ("document.getElementById('download').href.startsWith('blob:') && !document.getElementById('frame').ariaBusy && "
         "!isLive && !waiting && document.getElementById('error').hidden")


def wait(browser, expression, seconds=30):
    deadline = time.monotonic() + seconds
    while not browser.value(expression):
        assert time.monotonic() < deadline, (expression, browser.value("document.getElementById('error').textContent"))
        time.sleep(0.05)


def settle(browser):
    """Waits until the picture of the last change is shown."""
    time.sleep(0.05)
    wait(browser, "new Promise(done => setTimeout(() => done(" + READY + "), 450))")


def opened(browser, server, **look):
    browser.open(server.place, **look)
    settle(browser)


def set_value(browser, identifier, value, event="change"):
    browser.value(f"(() => {{ const n = document.getElementById('{identifier}'); n.value = {json.dumps(value)};"
                  f" n.dispatchEvent(new Event('{event}', {{bubbles: true}})); }})()")


def code(browser, language):
    set_value(browser, "language", language)
    return browser.value("document.getElementById('code').textContent")


def choose(browser, name):
    browser.value(f"document.querySelector('[data-name={name}] input').click()")
    settle(browser)


def load_photo(browser, path=ROOT / "Samples/photo.png"):
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    node = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])
    browser.value("document.getElementById('file').dispatchEvent(new Event('change'))")
    wait(browser, f"picture.name === {json.dumps(path.name)}")
    settle(browser)


def loads_clean(browser, server, frost):
    opened(browser, server)
    wait(browser, "queue.size === 0 && !isMaking")
    assert browser.complaints() == [], browser.complaints()
    others = [url for url in browser.requests() if not url.startswith((server.place, "blob:" + server.place))]
    assert others == [], others
    assert browser.value(NAMELESS) == [], browser.value(NAMELESS)
    assert browser.value("document.querySelectorAll('.effect').length") > 40
    facts = browser.value("document.getElementById('facts').innerText")
    assert re.search(r"Blur [\d.]+ ms", facts) and "CPU" in facts and "steps of 255" in facts, facts
    assert "blur is done" in browser.value("document.getElementById('spoken').textContent")


def shows_all_effects(browser, server, frost):
    """Each effect in the list has a small picture, and can be computed with its defaults."""
    opened(browser, server)
    browser.value("document.querySelectorAll('.effect').forEach((node) => queue.add(node)); makeSmall()")
    wait(browser, "queue.size === 0 && !isMaking", 60)
    empty = ("[...document.querySelectorAll('.effect')].filter((node) => !node.querySelector('canvas').getContext('2d')"
             ".getImageData(0, 0, 240, 160).data.some((v) => v)).map((node) => node.dataset.name)")
    assert browser.value(empty) == [], browser.value(empty)
    assert browser.complaints() == [], browser.complaints()


def same_as_command(browser, server, frost):
    """The result on the page has the bytes that the copied command line makes."""
    opened(browser, server)
    load_photo(browser)
    for effect, options in [("blur", {"sigma": "5.5"}), ("tilt-shift", {"radius": "9"}), ("material-thin-dark", {})]:
        choose(browser, effect)
        for name, value in options.items():
            set_value(browser, f"option-{name}", value, "input")
            set_value(browser, f"option-{name}", value)
        browser.value("document.getElementById('add').click()")
        set_value(browser, "option-corner-radius", "12")
        settle(browser)
        shown = bytes_of(browser, "result")
        words = shlex.split(code(browser, "shell"))
        with tempfile.TemporaryDirectory() as folder:
            words[words.index("photo.png")] = str(ROOT / "Samples/photo.png")
            output = Path(folder) / "out.png"
            words[words.index("-o") + 1] = str(output)
            subprocess.run([frost, *words[1:], "--quiet", "--backend", "cpu"], check=True)
            assert output.read_bytes() == shown, words
            command = code(browser, "curl")
            assert command.startswith("curl --data-binary @photo.png") and server.place in command, command
            line = shlex.split(command)
            body = (ROOT / "Samples/photo.png").read_bytes()
            target = line[-1].removeprefix(server.place.rstrip("/"))
            assert server.request("POST", target, body).expect(200).body == shown, target
        for language, text in [("python", "frost.effect_encoded("), ("c", "frost_effect_encoded("), ("swift", "Effect.named(")]:
            assert text in code(browser, language)
        compile(code(browser, "python"), "copied", "exec")


def bytes_of(browser, expression):
    """The bytes of a Blob on the page."""
    return bytes.fromhex(browser.value(f"Promise.resolve({expression}).then((blob) => blob.arrayBuffer()).then((b) =>"
                                       " Array.from(new Uint8Array(b), (v) => v.toString(16).padStart(2, '0')).join(''))"))


def transitions(browser, server, frost):
    """The time of a transition can be moved. The result has the bytes that the copied command lines make, and it covers both
    pictures."""
    opened(browser, server)
    load_photo(browser)
    for name, options in [("ripple", {"width": "40"}), ("disintegrate-with-mask", {}), ("dissolve", {})]:
        choose(browser, name)
        for option, value in options.items():
            set_value(browser, f"option-{option}", value)
        settle(browser)
        browser.events = []
        browser.value("""(() => { const slider = document.getElementById('time');
          for (let place = 1; place <= 60; place++) { slider.value = place / 100; slider.dispatchEvent(new Event('input')); }
          slider.dispatchEvent(new Event('change')); })()""")
        settle(browser)
        posts = [url for url in browser.requests() if f"/transition/{name}?" in url]
        assert 1 <= len(posts) <= 6 and "time=0.6" in posts[-1], posts
        assert browser.value("getComputedStyle(document.getElementById('before')).display") == "none"
        assert not browser.value("document.getElementById('rects-card').checkVisibility()")
        assert not browser.value("document.getElementById('split').checkVisibility()")
        shown = bytes_of(browser, "result")
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            (folder / "photo.png").symlink_to(ROOT / "Samples/photo.png")
            for role in ("to", "mask"):
                (folder / browser.value(f"nameOf('{role}')")).write_bytes(bytes_of(browser, f"more('{role}').then((one) => one.blob)"))
            words = shlex.split(code(browser, "shell"))
            assert words[:3] == ["frost", "transition", name] and ["--time", "0.6"] == words[7:9], words
            subprocess.run([frost, *words[1:], "--quiet"], cwd=folder, check=True)
            assert (folder / words[words.index("-o") + 1]).read_bytes() == shown, words
            command = shlex.split(code(browser, "curl"))
            files = [word.split("=@") for word in command if "=@" in word]
            body, headers = form(*((role, file, (folder / file).read_bytes()) for role, file in files))
            target = command[-1].removeprefix(server.place.rstrip("/"))
            assert server.request("POST", target, body, headers).expect(200).body == shown, command
        for language, text in [("python", "frost.transition("), ("c", "frost_render_transition("), ("swift", "TransitionCatalog.transition(")]:
            assert text in code(browser, language)
        compile(code(browser, "python"), "copied", "exec")
    browser.value("""(async () => { const canvas = document.createElement('canvas'); canvas.width = 2000; canvas.height = 90;
      await take('to', new File([await toBlob(canvas)], 'wide.png', {type: 'image/png'})); })()""")
    settle(browser)
    height = browser.value("picture.height")
    assert browser.value("[document.getElementById('after').naturalWidth, document.getElementById('after').naturalHeight]") == [2000, height]
    # The button plays the transition to its end.
    set_value(browser, "time", "0.7", "input")
    browser.value("document.getElementById('play').click()")
    wait(browser, "document.getElementById('time').value === '1'")
    settle(browser)
    assert browser.value("document.getElementById('play').textContent") == "Play"
    choose(browser, "blur")
    assert browser.value("document.getElementById('split').checkVisibility() && document.getElementById('rects-card').checkVisibility()")
    assert browser.complaints() == [], browser.complaints()


def masks(browser, server, frost):
    """An effect that needs a mask begins with one, and takes one of the user."""
    opened(browser, server)
    load_photo(browser)
    choose(browser, "variable")
    first = bytes_of(browser, "result")
    browser.value("""(async () => { const canvas = document.createElement('canvas'); canvas.width = 30; canvas.height = 20;
      canvas.getContext('2d').fillRect(0, 0, 30, 20);
      await take('mask', new File([await toBlob(canvas)], 'black.png', {type: 'image/png'})); })()""")
    settle(browser)
    # Where the mask is black, the picture is sharp.
    assert bytes_of(browser, "result") != first
    shell = code(browser, "shell")
    assert "--mask black.png" in shell and "-F mask=@black.png" in code(browser, "curl"), shell
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "photo.png").symlink_to(ROOT / "Samples/photo.png")
        (folder / "black.png").write_bytes(bytes_of(browser, "chosen.mask.blob"))
        words = shlex.split(shell)
        subprocess.run([frost, *words[1:], "--quiet", "--backend", "cpu"], cwd=folder, check=True)
        assert (folder / words[words.index("-o") + 1]).read_bytes() == bytes_of(browser, "result")
    for language, text in [("python", "mask="), ("c", "options.mask ="), ("swift", "mask: mask")]:
        assert text in code(browser, language)


def live(browser, server, frost):
    """While a slider moves, one request is in progress, and the last value is the one that is shown."""
    opened(browser, server)
    browser.events = []
    browser.value("""(() => { const slider = document.querySelector('#options input[type=range]');
      for (let place = 100; place <= 700; place += 5) { slider.value = place; slider.dispatchEvent(new Event('input')); }
      slider.dispatchEvent(new Event('change')); })()""")
    settle(browser)
    sigma = browser.value("document.getElementById('option-sigma').value")
    assert sigma == "343", sigma
    posts = [url for url in browser.requests() if "/blur?" in url]
    assert 2 <= len(posts) <= 6 and f"sigma={sigma}" in posts[-1], posts
    assert f"--sigma {sigma}" in code(browser, "shell")
    # A value that is not allowed is not sent.
    set_value(browser, "option-sigma", "5000", "input")
    settle(browser)
    assert f"--sigma {sigma}" in code(browser, "shell")


def previews(browser, server, frost):
    """While a control moves, a large picture is shown as a smaller copy whose lengths are shorter as well."""
    opened(browser, server)
    browser.value("""(async () => { const canvas = document.createElement('canvas'); canvas.width = 3000; canvas.height = 1500;
      canvas.getContext('2d').fillRect(0, 0, 900, 900);
      await load(await toBlob(canvas), 'large.png'); })()""")
    settle(browser)
    browser.value("document.getElementById('add').click()")
    settle(browser)
    browser.events = []
    set_value(browser, "option-sigma", "30", "input")
    settle(browser)
    posts = [url for url in browser.requests() if "/blur?" in url]
    assert len(posts) == 2 and "sigma=10.24&" in posts[0] and "rect=256,128,512,256" in posts[0], posts
    assert "sigma=30&" in posts[1] and "rect=750,375,1500,750" in posts[1], posts
    assert browser.value("document.getElementById('after').naturalWidth") == 3000


def difference(browser, server, frost):
    opened(browser, server)
    set_value(browser, "mode", "difference")
    settle(browser)
    assert browser.value("document.getElementById('difference').checkVisibility()")
    facts = browser.value("document.getElementById('facts').innerText")
    # The blur is within one step of the exact result.
    assert re.search(r"Largest difference [01] steps? of 255", facts), facts
    largest = browser.value("document.getElementById('difference').getContext('2d').getImageData(0, 0, 1200, 800)"
                            ".data.reduce((most, value, place) => place % 4 < 3 && value > most ? value : most, 0)")
    assert largest in (0, 16), largest
    assert not browser.value("document.getElementById('split').checkVisibility()")


def stage_box(browser):
    browser.value("document.getElementById('stage').scrollIntoView({block: 'center'})")
    return browser.value("(() => { const b = document.getElementById('stage').getBoundingClientRect();"
                         " return [b.left, b.top, b.width, b.height]; })()")


def drag(browser, box, start, end):
    places = [(box[0] + box[2] * x, box[1] + box[3] * y) for x, y in (start, end)]
    browser.mouse("mousePressed", *places[0])
    browser.mouse("mouseMoved", *places[1])
    browser.mouse("mouseReleased", *places[1])


def splits(browser, server, frost):
    opened(browser, server)
    box = stage_box(browser)
    at = "parseFloat(document.getElementById('stage').style.getPropertyValue('--at'))"
    drag(browser, box, (0.5, 0.5), (0.25, 0.5))
    assert abs(browser.value(at) - 25) < 1, browser.value(at)
    # After the drag, the slider has the focus, so keys move it.
    before = browser.value(at)
    browser.key("ArrowRight")
    assert browser.value(at) > before
    browser.key("End")
    assert browser.value(at) == 100
    set_value(browser, "zoom", "4")
    width = browser.value("document.getElementById('stage').getBoundingClientRect().width")
    assert abs(width - 4800) < 1, width
    assert browser.value("getComputedStyle(document.getElementById('after')).imageRendering") == "pixelated"


def rectangles(browser, server, frost):
    """Rectangles can be drawn, changed by their numbers, and removed."""
    opened(browser, server)
    browser.value("document.getElementById('draw').click()")
    drag(browser, stage_box(browser), (0.25, 0.25), (0.75, 0.5))
    settle(browser)
    box = browser.value("rects[0]")
    assert all(abs(a - b) <= 3 for a, b in zip(box, [300, 200, 600, 200])), box
    assert browser.value("document.getElementById('draw').getAttribute('aria-pressed')") == "false"
    assert "--rect " + ",".join(map(str, box)) in code(browser, "shell")
    browser.value("(() => { const n = document.querySelector('#rects input'); n.value = 7; n.dispatchEvent(new Event('input')); })()")
    settle(browser)
    assert "--rect 7," in code(browser, "shell")
    browser.value("document.querySelector('#rects button').click()")
    settle(browser)
    assert "--rect" not in code(browser, "shell")
    assert browser.value("document.activeElement.id") == "add"


def dropped_and_pasted(browser, server, frost):
    """A picture can be dropped on the page, and pasted."""
    opened(browser, server)
    for kind, create in [("drop", "new DragEvent('drop', {dataTransfer: data, bubbles: true})"),
                         ("paste", "new ClipboardEvent('paste', {clipboardData: data, bubbles: true})")]:
        browser.value("""(async () => { const canvas = document.createElement('canvas'); canvas.width = 40; canvas.height = 30;
          const data = new DataTransfer(); data.items.add(new File([await toBlob(canvas)], '%s.png', {type: 'image/png'}));
          document.body.dispatchEvent(%s); })()""" % (kind, create))
        wait(browser, f"picture.name === '{kind}.png' && picture.width === 40")
        settle(browser)
        assert browser.value("document.getElementById('after').naturalWidth") == 40


def server_ends(browser, server, frost):
    """If the server no longer answers, the page says so."""
    with Server(frost) as other:
        opened(browser, other)
    set_value(browser, "option-sigma", "3")
    wait(browser, "document.getElementById('error').textContent.includes('does not answer')")


def opened_with_picture(browser, server, frost):
    """The page of frost open begins with the picture, and works below its secret path."""
    with Server(frost, command=["open", ROOT / "Samples/photo.png"], env={"DISPLAY": "", "WAYLAND_DISPLAY": ""}) as other:
        opened(browser, other)
        assert browser.value("picture.name") == "photo.png"
        choose(browser, "tilt-shift")
        assert f"{other.place}/effect/tilt-shift" in code(browser, "curl")
        assert browser.complaints() == [], browser.complaints()


def reports_errors(browser, server, frost):
    """For a file that is not a picture the page shows the server's message, and it still works."""
    opened(browser, server)
    with tempfile.TemporaryDirectory() as folder:
        bad = Path(folder) / "no.png"
        bad.write_text("no picture")
        root = browser.call("DOM.getDocument")["root"]["nodeId"]
        node = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(bad)])
        browser.value("document.getElementById('file').dispatchEvent(new Event('change'))")
        wait(browser, "!document.getElementById('error').hidden")
        assert "not a supported picture" in browser.value("document.getElementById('error').textContent")
    load_photo(browser)


def reached_by_keys(browser, server, frost):
    """The Tab key reaches every control that is visible, and each shows that it has the focus."""
    opened(browser, server)
    browser.value("document.getElementById('add').click(); document.getElementById('more').open = true")
    settle(browser)
    wanted = set(browser.value("""(() => { let count = 0;
      // Of radio buttons, the one that is chosen takes the focus.
      return [...document.querySelectorAll("a, button, select, input, summary, [tabindex]")].filter((node) =>
        node.checkVisibility() && (node.type !== "radio" || node.checked)).map((node) => node.dataset.key = String(count++)); })()"""))
    browser.value("document.activeElement.blur()")
    seen = set()
    for _ in range(2 * len(wanted)):
        browser.key("Tab")
        seen.add(browser.value("document.activeElement.dataset.key"))
        if browser.value("document.activeElement.dataset.key"):
            assert browser.value("[document.activeElement, document.activeElement.closest('label')].some((node) =>"
                                 " node && getComputedStyle(node).outlineStyle !== 'none')")
    assert wanted <= seen, [browser.value(f"document.querySelector('[data-key=\"{key}\"]').outerHTML") for key in wanted - seen]
    # The arrow keys choose the next effect.
    browser.value("document.querySelector('.effect input:checked').focus()")
    browser.key("ArrowRight")
    assert browser.value("effect.name") != "blur"
    settle(browser)


def readable(browser, server, frost, dark):
    opened(browser, server, dark=dark)
    worst = browser.value(CONTRAST)
    assert worst["ratio"] >= 4.5, worst
    ground = browser.value("getComputedStyle(document.body).backgroundColor")
    assert (sum(int(part) for part in ground[4:-1].split(",")) < 200) == dark, ground
    browser.shot("playground-" + ("dark" if dark else "light"))


def fits_transition(browser, server, frost, width):
    browser.open(server.place, width=width, height=900)
    settle(browser)
    choose(browser, "page-curl")
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value(WIDE) == [], browser.value(WIDE)
    assert browser.value(NAMELESS) == [], browser.value(NAMELESS)
    worst = browser.value(CONTRAST)
    assert worst["ratio"] >= 4.5, worst
    browser.shot(f"playground-transition-{width}", whole=True)


# The elements that are wider than the window.
WIDE = ("[...document.querySelectorAll('main *')].filter((n) => n.checkVisibility() && !n.closest('.gallery, .frame, .out') &&"
        " n.getBoundingClientRect().right > innerWidth).map((n) => n.outerHTML.slice(0, 120))")


def fits(browser, server, frost, width):
    opened(browser, server, width=width, height=900)
    browser.value("document.getElementById('add').click(); document.getElementById('more').open = true")
    settle(browser)
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value(WIDE) == [], browser.value(WIDE)
    browser.shot(f"playground-{width}", whole=True)


def main():
    cases = Cases("frost.playground", __doc__)
    with tempfile.TemporaryDirectory() as folder, Server(cases.frost) as server:
        browser, case = browser_cases(cases, folder)
        given = server, cases.frost

        for function in (loads_clean, shows_all_effects, same_as_command, transitions, masks, live, previews, difference, splits, rectangles,
                         dropped_and_pasted, opened_with_picture, reports_errors, server_ends, reached_by_keys):
            case(function.__name__.replace("_", " "), function, *given)
        case("readable in light", readable, *given, False)
        case("readable in dark", readable, *given, True)
        for width in (360, 820, 1440):
            case(f"fits {width} pixels", fits, *given, width)
            case(f"a transition fits {width} pixels", fits_transition, *given, width)
        if browser:
            browser.close()
    cases.finish()


main()
