#!/usr/bin/env python3
"""Opens the page of `frost check --report` in a headless Chromium and operates it.

    page.py --frost PATH [--only TEXT] [--junit FILE]

The page loads no other files, runs without errors, compares two pictures by mouse and keyboard, shows everything but the
slider without scripts, contains no markup from file names, fits a phone, and is readable in light and in dark mode. The test
needs only Python and Chromium, which Tests/acceptance/page installs; without Chromium all cases are skipped. FROST_SHOTS
names a folder for screenshots.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from report import Cases, Skipped

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "Samples" / "scene.png"
HOSTILE = "<img src=x onerror=alert(1)> &\"'.png"


class Browser:
    """A Chromium that is controlled by its DevTools protocol. The protocol's messages are sent through pipes: each is
    JSON text that ends in a zero byte."""

    def __init__(self, folder):
        binary = shutil.which("chromium") or shutil.which("chromium-browser")
        if not binary:
            raise Skipped("there is no chromium: Tests/acceptance/page installs it")
        read_end, self.output = os.pipe()
        self.input, write_end = os.pipe()

        def hand_over():
            # Both descriptors are duplicated first, because one of the pipe ends may itself have the number 3 or 4.
            ends = os.dup(read_end), os.dup(write_end)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [binary, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)
        self.rest, self.last, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.input, 1 << 20)
            assert more, "chromium is gone"
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width=1280, height=900, dark=False, scripts=True):
        """Loads a file. After the call, `events` contains all events that occurred during the call."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.events = []
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def complaints(self):
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return [event for event in self.events
                if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled",
                                           "Page.javascriptDialogOpening")]

    def requests(self):
        urls = [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith("data:")]

    def shot(self, name, whole=False):
        folder = os.environ.get("FROST_SHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
            (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(picture))

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def key(self, name):
        codes = {"ArrowRight": 39, "End": 35, "Home": 36, "Tab": 9}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=codes[name])

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(timeout=20)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


# --- Scripts that inspect a page ---------------------------------------------------------------------

# Checks the contrast of text by WCAG 2.2. The script returns every element that has its own text, together with the colour
# behind it.
CONTRAST = """(() => {
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => { const v = c / 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const ground = (node) => {
    for (; node; node = node.parentElement) {
      const color = numbers(getComputedStyle(node).backgroundColor);
      if (color.length < 4 || color[3] > 0.5) return color;
    }
    return [255, 255, 255];
  };
  let worst = { ratio: 99 };
  for (const node of document.body.querySelectorAll("*")) {
    const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
    if (!own || ["SCRIPT", "STYLE", "TITLE", "OPTION"].includes(node.tagName)) continue;
    const style = getComputedStyle(node);
    const [a, b] = [luminance(numbers(node.closest("svg") ? style.fill : style.color)), luminance(ground(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst.ratio) worst = { ratio, what: node.outerHTML.slice(0, 120) };
  }
  return worst;
})()"""

# Returns the elements that have no name for assistive technology such as screen readers.
NAMELESS = """[...document.querySelectorAll("img, svg[role], input, select, table, section, [role=region]")]
  .filter((node) => node.checkVisibility() && !node.closest(".stage img")).filter((node) =>
    node.tagName === "IMG" ? !node.hasAttribute("alt") : node.tagName === "TABLE" ? !node.querySelector("th[scope]") :
    !(node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || node.labels?.length)
  ).map((node) => node.outerHTML.slice(0, 120))"""


def make(frost, page, *words, code=0):
    done = subprocess.run([frost, "check", *words, "--report", page], cwd=page.parent, capture_output=True, text=True)
    assert done.returncode == code, done


def loads_clean(browser, page):
    browser.open(page)
    assert browser.complaints() == [], browser.complaints()
    assert browser.requests() == [page.resolve().as_uri()], browser.requests()
    assert browser.value("[...document.images].every((i) => i.complete && i.naturalWidth > 0)")
    assert browser.value(NAMELESS) == [], browser.value(NAMELESS)
    browser.shot(page.stem)
    browser.shot(page.stem + "-whole", whole=True)


def slides(browser, page):
    browser.open(page)
    browser.value("document.querySelector('.stage').scrollIntoView({block: 'center'})")
    box = browser.value("(() => { const b = document.querySelector('.stage').getBoundingClientRect();"
                        " return [b.left, b.top, b.width, b.height]; })()")
    at = "parseFloat(document.querySelector('.stage').style.getPropertyValue('--at'))"
    assert browser.value(at) == 50
    middle = box[1] + box[3] / 2
    browser.mouse("mousePressed", box[0] + box[2] * 0.5, middle)
    browser.mouse("mouseMoved", box[0] + box[2] * 0.25, middle)
    browser.mouse("mouseReleased", box[0] + box[2] * 0.25, middle)
    assert abs(browser.value(at) - 25) < 1, browser.value(at)
    clip = browser.value("getComputedStyle(document.querySelector('.stage .left')).clipPath")
    assert "75%" in clip or "calc" in clip, clip
    # After the drag, the slider has the keyboard focus. So keys move the slider.
    before = browser.value(at)
    browser.key("ArrowRight")
    assert browser.value(at) > before
    browser.key("End")
    assert browser.value(at) == 100
    browser.key("Home")
    assert browser.value(at) == 0
    browser.value("(() => { const s = document.querySelector('.pickers select'); s.selectedIndex = 1;"
                  " s.dispatchEvent(new Event('input')); })()")
    assert browser.value("document.querySelector('.stage .left').src ==="
                         " document.querySelectorAll('.strip img[data-name]')[1].src")
    assert browser.value("document.querySelector('.stage .label.left').textContent") == "exact"
    assert "exact on its left" in browser.value("document.querySelector('.stage input').getAttribute('aria-label')")


def reached_by_keys(browser, page):
    browser.open(page)
    seen = set()
    for _ in range(12):
        browser.key("Tab")
        seen.add(browser.value("document.activeElement.tagName + (document.activeElement.type || '')"))
    assert {"A", "SUMMARY", "SELECTselect-one", "INPUTrange"} <= seen, seen


def works_without_scripts(browser, page):
    browser.open(page, scripts=False)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.value("document.querySelectorAll('.stage').length") == 0
    assert browser.value("[...document.querySelectorAll('.strip img')].every((i) => i.getBoundingClientRect().width > 20)")
    assert browser.value("document.querySelectorAll('tbody tr').length") > 3
    browser.shot(page.stem + "-plain")


def readable(browser, page, dark):
    browser.open(page, dark=dark)
    worst = browser.value(CONTRAST)
    assert worst["ratio"] >= 4.5, worst
    ground = browser.value("getComputedStyle(document.body).backgroundColor")
    assert (sum(int(part) for part in ground[4:-1].split(",")) < 200) == dark, ground
    browser.shot(page.stem + ("-dark" if dark else "-light"))


def fits(browser, page, width):
    browser.open(page, width=width, height=800)
    assert browser.value("document.documentElement.scrollWidth") <= width
    browser.shot(f"{page.stem}-{width}")


def not_injected(browser, page):
    browser.open(page)
    assert browser.complaints() == [], browser.complaints()
    assert browser.value("document.querySelectorAll('[onerror], img:not([src^=\"data:\"])').length") == 0
    assert browser.value(f"document.querySelector('.group').textContent.includes({json.dumps(HOSTILE)})")


def main():
    cases = Cases("frost.page", __doc__)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(PICTURE, Path(folder) / HOSTILE)
        shutil.copy(PICTURE, Path(folder) / "scene.png")
        browser, missing = None, None
        try:
            browser = Browser(Path(folder) / "profile")
        except Skipped as reason:
            missing = reason

        def case(name, function, *arguments):
            def guarded():
                if missing:
                    raise missing
                function(browser, *arguments)
            cases.run(name, guarded)

        good, bad = Path(folder) / "passed.html", Path(folder) / "failed.html"
        if browser:
            make(cases.frost, good, "scene.png", "--sigma", "8", "--effect", "light")
            make(cases.frost, bad, HOSTILE, "--sigma", "8", "--max", "0.4", code=1)
        for page in (good, bad):
            case(f"{page.stem}: loads nothing and complains of nothing", loads_clean, page)
            case(f"{page.stem}: the slider follows mouse and keys", slides, page)
            case(f"{page.stem}: readable in light", readable, page, False)
            case(f"{page.stem}: readable in dark", readable, page, True)
            for width in (390, 820, 1280):
                case(f"{page.stem}: fits {width} pixels", fits, page, width)
        case("keys reach every control", reached_by_keys, good)
        case("without scripts all but the slider is there", works_without_scripts, good)
        case("a name is no markup", not_injected, bad)
        if browser:
            browser.close()
    cases.finish()


main()
