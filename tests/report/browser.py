"""The HTML report in a real browser: a headless Chromium, spoken to by the DevTools protocol over a
pipe, with nothing but the standard library. Each sample page must load without an error, a warning
or a request to anywhere, have its plots, and fit two widths; sorting, searching and printing must
work. Screenshots stay in the folder that is named.

Arguments: the tests folder, the program that writes the sample pages (`PROGRAM --write DIR`), the
folder for screenshots, and any more pages."""
import base64
import hashlib
import json
import os
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok, skip  # noqa: E402

WIDTHS = {"narrow": 390, "wide": 1400}
PLOTS = 6


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One page of one Chromium. Messages are JSON texts, each ended by a NUL, on descriptors 3 and
    4 of the child."""

    def __init__(self, path, profile):
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        # The child's own 3 and 4, whatever numbers ours have.
        shell = 'r=$1 w=$2; shift 2; eval "exec \\"\\$@\\" 3<&$r 4>&$w"'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "sh", str(to_read), str(to_write), path, "--headless",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions", "--hide-scrollbars",
             "--user-data-dir=" + profile, "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def receive(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.back, 1 << 20)
            if not data:
                raise EOFError("the browser is gone")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + 120
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def resize(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url="file://" + path)
        until = time.monotonic() + 60
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive(until))

    def screenshot(self, path, height=None):
        width = self.evaluate("innerWidth")
        tall = self.evaluate("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": width, "height": min(tall, height or 8000), "scale": 1}
        shot = self.call("Page.captureScreenshot", format="png", clip=clip,
                         captureBeyondViewport=True)
        data = base64.b64decode(shot["data"])
        with open(path, "wb") as f:
            f.write(data)
        return data

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError, RuntimeError):
            self.process.kill()
        self.process.wait()


def complaints(events):
    """What the page said, and what it asked the network for."""
    bad, asked = [], []
    for e in events:
        params = e.get("params", {})
        if e.get("method") == "Runtime.exceptionThrown":
            bad.append(params["exceptionDetails"]["text"])
        elif e.get("method") == "Runtime.consoleAPICalled":
            bad.append("console.%s" % params["type"])
        elif e.get("method") == "Log.entryAdded":
            bad.append(params["entry"]["text"])
        elif e.get("method") == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file://", "data:")):
                asked.append(url)
    return bad, asked


def colours(png):
    """How many colours an 8-bit PNG has: a blank one has one."""
    at, data, width, kind = 8, b"", 0, 0
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        if name == b"IHDR":
            width, _, _, kind = struct.unpack(">IIBB", png[at + 8:at + 18])
        elif name == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += 12 + size
    pixel = {2: 3, 6: 4}[kind]
    rows, stride, seen = zlib.decompress(data), width * pixel + 1, set()
    for row in range(0, len(rows), stride):
        seen.update(rows[row + 1 + i:row + 1 + i + pixel] for i in range(0, stride - 1, 97 * pixel))
    return len(seen)


SHAPES = """(() => {
    const plots = [...document.querySelectorAll('svg.plot')];
    const drawn = e => { const b = e.getBoundingClientRect(); return b.width > 0 && b.height > 0; };
    const wide = [...document.querySelectorAll('body *')].filter(e => {
        const b = e.getBoundingClientRect();
        return b.right > innerWidth + 1 && !e.closest('pre') && b.height > 0;
    }).map(e => e.tagName + '.' + (e.className.baseVal || e.className || ''));
    return {plots: plots.filter(drawn).length,
            titles: plots.filter(e => e.querySelector('title').textContent).length,
            // a curve that stays at zero has no height
            shapes: plots.filter(e => [...e.querySelectorAll('path,rect,circle')]
                .some(s => s.getBoundingClientRect().width > 0)).length,
            text: Math.min(...[...document.querySelectorAll('svg.plot text')]
                .filter(drawn).map(e => e.getBoundingClientRect().height)),
            bars: [...document.querySelectorAll('svg.bar rect')].filter(drawn).length,
            bugs: document.querySelectorAll('.bug').length,
            scripts: document.querySelectorAll('script').length,
            overflow: document.documentElement.scrollWidth - innerWidth, wide: wide.slice(0, 5)};
})()"""


def check_page(browser, path, shots):
    name = os.path.splitext(os.path.basename(path))[0]
    for kind, width in WIDTHS.items():
        browser.resize(width)
        browser.open(path)
        seen = browser.evaluate(SHAPES)
        title = "%s at %d" % (name, width)
        ok(seen["overflow"] <= 0 and not seen["wide"], title + ": nothing is wider than the page",
           seen)
        equal((seen["plots"], seen["titles"]), (PLOTS, PLOTS), "  the plots are there, with titles")
        equal(seen["shapes"], PLOTS, "  each draws something")
        ok(seen["text"] >= 10, "  their texts can be read", seen["text"])
        equal(seen["scripts"], 1, "  no text became a script")
        png = browser.screenshot(os.path.join(shots, "%s-%s.png" % (name, kind)))
        many = colours(png)
        ok(many >= 8, "  the screenshot is not blank", many)
        bad, asked = complaints(browser.events)
        equal(bad, [], "  no error, no warning")
        equal(asked, [], "  no request")
    return seen


def check_script(text):
    script = re.search(r"<script>(.*?)</script>\n</body>", text, re.S).group(1)
    right = "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    equal(re.search(r"script-src '([^']*)'", text).group(1), right, "the script has its hash")


ROWS = "[...document.querySelectorAll('#bugs-table tbody tr')].filter(r => !r.hidden)"


def check_table(browser, path):
    browser.resize(1400)
    browser.open(path)
    column = "%s.map(r => r.cells[%d].textContent)"
    first = browser.evaluate(column % (ROWS, 0))
    equal(first, [str(i + 1) for i in range(len(first))], "bugs in the order of the ranking")
    click = "document.querySelectorAll('#bugs-table thead button')[4].click()"
    for direction in (1, -1):
        browser.evaluate(click)
        got = [int(x) for x in browser.evaluate(column % (ROWS, 4))]
        equal(got, sorted(got)[::direction], "sorted by findings, %d" % direction)
    browser.evaluate("(() => { const i = document.querySelector('#search input');"
                     "i.value = 'wrong-output'; i.dispatchEvent(new Event('input')); })()")
    kinds = set(browser.evaluate(column % (ROWS, 1)))
    equal(kinds, {"wrong-output"}, "found by kind")
    closed = "document.querySelector('#bug-9 details').open"
    equal(browser.evaluate(closed), False, "a bug far down is closed")
    browser.evaluate("document.querySelector('#bugs-table a[href=\"#bug-9\"]').click()")
    time.sleep(0.3)
    equal(browser.evaluate(closed), True, "its link opens it")
    equal(complaints(browser.events), ([], []), "still no complaint")


def check_dark(browser, path, shots):
    ground = "getComputedStyle(document.body).backgroundColor"
    browser.open(path)
    light = browser.evaluate(ground)
    browser.call("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark = browser.evaluate(ground)
    ok(light != dark, "dark where the reader wants it dark", (light, dark))
    browser.screenshot(os.path.join(shots, "dark.png"), 3000)
    browser.call("Emulation.setEmulatedMedia", features=[])
    pdf = base64.b64decode(browser.call("Page.printToPDF")["data"])
    with open(os.path.join(shots, "print.pdf"), "wb") as f:
        f.write(pdf)
    ok(pdf.startswith(b"%PDF") and len(pdf) > 20000, "it can be printed", len(pdf))


def main():
    writer, shots, more = sys.argv[2], os.path.abspath(sys.argv[3]), sys.argv[4:]
    path = find_browser()
    if not path:
        skip("the report in a browser", "no chromium is installed (apt-get install chromium)")
        done()
    os.makedirs(shots, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as tmp:
        subprocess.run([writer, "--write", tmp], check=True)
        pages = {os.path.splitext(name)[0]: os.path.join(tmp, name)
                 for name in sorted(os.listdir(tmp)) if name.endswith(".html")}
        ok(len(pages) >= 5, "there are pages", sorted(pages))
        with open(pages["typical"], encoding="utf-8") as f:
            check_script(f.read())
        browser = Browser(path, os.path.join(tmp, "profile"))
        try:
            for page in list(pages.values()) + [os.path.abspath(p) for p in more]:
                check_page(browser, page, shots)
            check_table(browser, pages["typical"])
            check_dark(browser, pages["typical"], shots)
        finally:
            browser.close()
    done()


main()
