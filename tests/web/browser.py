# SPDX-License-Identifier: MIT
"""A browser that a test drives: Debian's Chromium, by WebDriver, with the standard library alone.

    with Browser() as browser:
        browser.open(url)
        browser.wait("return document.title")
        browser.press("#board [tabindex='0']", "3")

Nothing sleeps: every wait is for a condition, and has an end. Nothing outside 127.0.0.1 can be found.
"""
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE = float(os.environ.get("PLYBASE_PATIENCE", 30))  # seconds that a condition has
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
    --disable-background-networking --disable-component-update --disable-default-apps --hide-scrollbars
    --force-color-profile=srgb --lang=en-US""".split()
NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Backspace": "\ue003", "Tab": "\ue004", "Shift": "\ue008", "Control": "\ue009",
        "End": "\ue010", "Home": "\ue011", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014",
        "Down": "\ue015", "PageUp": "\ue00e", "PageDown": "\ue00f", "Escape": "\ue00c", "Space": " "}


def missing():
    """What is not installed, or None."""
    lacking = [name for name in ("chromedriver", "chromium") if not shutil.which(name)]
    return f"{' and '.join(lacking)} not found: tools/checks/packages web installs them" if lacking else None


class Failure(Exception):
    """The browser, or the page in it, did not do what was asked."""


class Browser:
    def __init__(self, width=1280, height=900, flags=(), preferences=None, network=False):
        self.folder = tempfile.mkdtemp(prefix="plybase-browser-")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver"), f"--port={port}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=self.folder))
        self.base = f"http://127.0.0.1:{port}"
        try:
            self.session = self._begin([*FLAGS, NOWHERE, f"--user-data-dir={self.folder}/data",
                                        f"--window-size={width},{height}", *flags],
                                       preferences, network)
        except BaseException:
            self.close()
            raise

    def _begin(self, flags, preferences, network):
        options = {"binary": shutil.which("chromium"), "args": flags, "prefs": preferences or {}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL" if network else "OFF"}}
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
            except urllib.error.URLError:  # the driver is not listening yet
                if time.monotonic() > end or self.driver.poll() is not None:
                    raise
                time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if getattr(self, "session", None):
                self.ask("DELETE", f"/session/{self.session}")
        except (Failure, OSError):
            pass
        self.driver.terminate()
        self.driver.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- WebDriver ----

    def ask(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Failure(f"{path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def do(self, method, path, body=None):
        return self.ask(method, f"/session/{self.session}{path}", body)

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.do("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    # ---- pages ----

    def open(self, url):
        self.do("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """The value of `return …`; a promise is waited for."""
        return self.do("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, what=None):
        """Run a script until its value is true; returns the value."""
        end = time.monotonic() + PATIENCE
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f"not within {PATIENCE} s: {what or script}; console: {self.console()}")
            time.sleep(0.02)

    def find(self, selector):
        return self.do("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.do("POST", f"/element/{self.find(selector)}/click")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent.trim()", selector)

    def type(self, selector, text):
        element = self.find(selector)
        self.do("POST", f"/element/{element}/clear")
        self.do("POST", f"/element/{element}/value", {"text": text})

    def keys(self, *names):
        """Press keys where the focus is; `Shift+Backspace` holds one while another is pressed."""
        actions = []
        for name in names:
            parts = [KEYS.get(part, part) for part in (name.split("+") if len(name) > 1 else [name])]
            actions += [{"type": "keyDown", "value": key} for key in parts]
            actions += [{"type": "keyUp", "value": key} for key in reversed(parts)]
        self.do("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def hover(self, selector):
        place = {ELEMENT: self.find(selector)}
        self.do("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "origin": place, "x": 0, "y": 0}]}]})

    def touch(self, selector):
        place = {ELEMENT: self.find(selector)}
        self.do("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": [
                {"type": "pointerMove", "origin": place, "x": 0, "y": 0},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def resize(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=width < 600)

    def media(self, **features):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def screenshot(self):
        import base64
        return base64.b64decode(self.do("GET", "/screenshot"))

    def console(self):
        """What was written to the console since the last time: warnings and errors."""
        return [entry["message"] for entry in self.do("POST", "/se/log", {"type": "browser"})
                if entry["level"] in ("WARNING", "SEVERE")]

    def addresses(self):
        """The addresses that were asked since the last time, in a browser with `network`."""
        asked = []
        for entry in self.do("POST", "/se/log", {"type": "performance"}):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                asked.append(event["params"]["request"]["url"])
        return asked

    def spoken(self):
        """The page as a screen reader has it: a line for each role and name, indented."""
        nodes = {node["nodeId"]: node for node in self.command("Accessibility.getFullAXTree")["nodes"]}
        root = next(node for node in nodes.values() if "parentId" not in node)
        lines = []
        self._speak(nodes, root, 0, lines)
        return "\n".join(lines) + "\n"

    SILENT = {"InlineTextBox", "none", "generic", "LineBreak", "ListMarker", "MenuListPopup"}

    def _speak(self, nodes, node, depth, lines):
        role = node.get("role", {}).get("value", "")
        name = re.sub(r"\s+", " ", node.get("name", {}).get("value", "") or "").strip()
        shown = not node.get("ignored") and role not in self.SILENT and (name or role != "StaticText")
        if shown:
            state = [f"{p['name']}={p['value'].get('value')}" for p in node.get("properties", [])
                     if p["name"] in ("disabled", "pressed", "checked", "invalid", "selected", "expanded")
                     and p["value"].get("value") not in (False, "false")]
            lines.append("  " * depth + " ".join([role, json.dumps(name, ensure_ascii=False), *state]))
        for child in node.get("childIds", []):
            if child in nodes:
                self._speak(nodes, nodes[child], depth + bool(shown), lines)
