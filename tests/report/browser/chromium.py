"""Headless Chromium, driven over a pipe by its DevTools protocol: nothing else needs to be installed."""

import json
import os
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

PATIENCE_SECONDS = 60


def program():
    """The path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


class Browser:
    """One browser with one page. Collects messages, exceptions and requests of the page."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="warpcheck-browser-")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def connect_pipe():
            # The browser reads commands from 3 and writes to 4. The copies at 30 and 31 avoid overwriting a descriptor in use.
            os.dup2(to_browser, 30)
            os.dup2(from_browser, 31)
            os.dup2(30, 3)
            os.dup2(31, 4)

        self._process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-extensions", "--disable-background-networking",
             "--force-color-profile=srgb", f"--user-data-dir={self._folder.name}", "--remote-debugging-pipe",
             "about:blank"],
            preexec_fn=connect_pipe, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._rest = b""
        self._number = 0
        self._session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._write)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        self._folder.cleanup()

    def _message(self):
        while b"\0" not in self._rest:
            part = os.read(self._read, 1 << 16)
            if not part:
                raise RuntimeError("the browser ended")
            self._rest += part
        text, self._rest = self._rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        """Sends a command and returns its result; stores events that arrive before it."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._write, json.dumps(command).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def wait_for(self, method):
        while not any(event["method"] == method for event in self.events):
            message = self._message()
            if "method" in message:
                self.events.append(message)

    def open(self, file):
        self.events.clear()
        self.call("Page.navigate", url=Path(file).resolve().as_uri())
        self.wait_for("Page.loadEventFired")

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression; it must be representable in JSON."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def resize(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=mobile)

    def prefer(self, scheme):
        """Sets the colour scheme of the system: "light" or "dark"."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            code = {"Tab": 9, "Enter": 13}[key]
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      text="\r" if key == "Enter" and kind == "keyDown" else "")

    def screenshot(self, file, clip=None, whole=False):
        """Writes the visible page as a PNG; with `clip`, a rectangle of the page; with `whole`, all of it."""
        import base64
        parameters = {"format": "png", "captureBeyondViewport": whole or clip is not None}
        if clip:
            parameters["clip"] = dict(zip(("x", "y", "width", "height"), clip), scale=1)
        data = base64.b64decode(self.call("Page.captureScreenshot", **parameters)["data"])
        Path(file).write_bytes(data)
        return data

    def errors(self):
        """Returns logged errors and warnings, and exceptions."""
        errors = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                errors.append(parameters["exceptionDetails"]["text"])
            if event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                errors.append(str(parameters["args"]))
            if event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                errors.append(parameters["entry"]["text"])
        return errors

    def requests(self):
        """Returns the addresses of all requests except that of the page."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"][1:]


def pixels(png):
    """Width, height and the rows of an 8-bit RGB or RGBA picture, decoded from PNG (ISO/IEC 15948)."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        chunk = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", chunk[:10])
        if kind == b"IDAT":
            data += chunk
        at += 12 + length
    assert depth == 8 and colour in (2, 6)
    channels = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(data), width * channels
    rows, above = [], bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if kind == 1:
            for i in range(channels, stride):
                row[i] = (row[i] + row[i - channels]) & 255
        elif kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, above))
        elif kind == 3:
            for i in range(stride):
                left = row[i - channels] if i >= channels else 0
                row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                left = row[i - channels] if i >= channels else 0
                corner = above[i - channels] if i >= channels else 0
                guess = left + above[i] - corner
                near = min((abs(guess - left), 0, left), (abs(guess - above[i]), 1, above[i]),
                           (abs(guess - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        rows.append(row)
        above = row
    return width, height, [[tuple(row[x * channels:x * channels + 3]) for x in range(width)] for row in rows]
