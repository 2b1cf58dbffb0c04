"""A headless Chromium that a test operates, and scripts that inspect a page."""

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path

from report import Skipped


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
        """Loads a file or a URL. After the call, `events` contains all events that occurred during the call."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.events = []
        url = path if isinstance(path, str) else path.resolve().as_uri()
        self.call("Page.navigate", url=url)
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


def browser_cases(cases, folder):
    """Returns a browser, or None if there is none, and a function that runs a case with it: case(name, function, *arguments)
    calls function(browser, *arguments). Without a browser each case is skipped."""
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

    return browser, case


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
