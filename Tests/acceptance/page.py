#!/usr/bin/env python3
"""Opens the page of `frost check --report` in a headless Chromium and operates it.

    page.py --frost PATH [--only TEXT] [--junit FILE]

The page loads no other files, runs without errors, compares two pictures by mouse and keyboard, shows everything but the
slider without scripts, contains no markup from file names, fits a phone, and is readable in light and in dark mode. The test
needs only Python and Chromium, which Tests/acceptance/page installs; without Chromium all cases are skipped. FROST_SHOTS
names a folder for screenshots.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from browser import CONTRAST, NAMELESS, browser_cases
from report import Cases

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "Samples" / "scene.png"
HOSTILE = "<img src=x onerror=alert(1)> &\"'.png"


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
        browser, case = browser_cases(cases, folder)

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
