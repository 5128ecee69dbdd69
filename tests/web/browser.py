# SPDX-License-Identifier: MIT
"""Debian's Chromium, controlled by Selenium.

    with Browser() as browser:
        browser.open(url)
        browser.wait("return document.title")
        browser.keys("3")

A test waits for conditions; only to check that nothing happens, it pauses. Only 127.0.0.1 can be reached.
"""
import json
import os
import re
import shutil
import sys
import tempfile
import time

try:
    from selenium import webdriver
    from selenium.common.exceptions import JavascriptException, WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
    from selenium.webdriver.common.actions.pointer_input import PointerInput
    from selenium.webdriver.common.keys import Keys
except ImportError:
    # Another python3 than Debian's may come first on the path; only Debian's has the package.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    webdriver, WebDriverException = None, Exception

PATIENCE = float(os.environ.get("PLYBASE_PATIENCE", 30))  # seconds until a wait fails
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
    --disable-background-networking --disable-component-update --disable-default-apps --hide-scrollbars
    --force-color-profile=srgb --lang=en-US""".split()
ONLY_LOCAL = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
NOT_SPOKEN = {"InlineTextBox", "none", "generic", "LineBreak", "ListMarker", "MenuListPopup"}
KEYS = {"PageUp": "page_up", "PageDown": "page_down"}
WAIT = """
const value = function () { %s }, end = performance.now() + 1000, pause = () => new Promise((go) => setTimeout(go, 10));
return (async (...all) => {
  let found;
  while (!(found = await value(...all)) && performance.now() < end) await pause();
  return found;
})(...arguments);
"""
POINT_OF = """
const one = document.querySelector(arguments[0]), name = arguments[0];
one.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
const box = one.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
const there = document.elementFromPoint(x, y);
if (!one.contains(there)) throw new Error(`${name} is covered by ${there?.outerHTML.slice(0, 120)}`);
return [x, y];
"""
STATES = ("disabled", "pressed", "checked", "invalid", "selected", "expanded")


def missing():
    """A sentence that names the missing programs, or None."""
    lacking = [name for name in ("chromedriver", "chromium") if not shutil.which(name)]
    lacking += [] if webdriver else ["selenium"]
    return f"{' and '.join(lacking)} not found: tools/checks/packages web installs them" if lacking else None


class Failure(WebDriverException):
    """A check of a test failed, or the browser."""

    def __str__(self):
        return self.msg


class Browser:
    def __init__(self, width=1280, height=900, flags=(), preferences=None, network=False):
        self.folder = tempfile.TemporaryDirectory(prefix="plybase-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in (*FLAGS, ONLY_LOCAL, f"--window-size={width},{height}", *flags):
            options.add_argument(flag)
        options.add_experimental_option("prefs", preferences or {})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL" if network else "OFF"})
        service = Service(shutil.which("chromedriver"), env=dict(os.environ, HOME=self.folder.name))
        self.driver = webdriver.Chrome(options=options, service=service)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.driver.quit()
        self.folder.cleanup()

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    # ---- pages ----

    def open(self, url):
        self.driver.get(url)

    def run(self, script, *arguments):
        """The value that a script returns; if it is a promise, its result."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments, what=None):
        """Run a script until its value is true; returns the value. The loop runs in the page, which is far cheaper
        than a command for each try."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if value := self.run(WAIT % script, *arguments):
                    return value
            except JavascriptException as error:
                if "unloaded" not in str(error):  # the page was left: go on in the next one
                    raise
        raise Failure(f"not within {PATIENCE} s: {what or script}; console: {self.console()}")

    def pause(self, milliseconds):
        self.run("return new Promise((done) => setTimeout(done, arguments[0]))", milliseconds)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def click(self, selector):
        """Scroll to an element and click its centre, which no other element may cover. Selenium's click does the
        same in five times the time."""
        x, y = self.run(POINT_OF, selector)
        for event in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=event, x=x, y=y, clickCount=1,
                         button="none" if event == "mouseMoved" else "left")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent.trim()", selector)

    def type(self, selector, text):
        self.find(selector).clear()
        self.find(selector).send_keys(text)

    def keys(self, *names):
        """Press keys, one after another; `Shift+Backspace` is a combination."""
        chain = ActionChains(self.driver, duration=0)
        for name in names:
            parts = name.split("+") if len(name) > 1 else [name]
            pressed = [getattr(Keys, KEYS.get(part, part).upper()) if len(part) > 1 else part for part in parts]
            for key in pressed:
                chain.key_down(key)
            for key in reversed(pressed):
                chain.key_up(key)
        chain.perform()

    def hover(self, selector):
        ActionChains(self.driver, duration=0).move_to_element(self.find(selector)).perform()

    def touch(self, selector):
        finger = ActionBuilder(self.driver, mouse=PointerInput(POINTER_TOUCH, "finger"), duration=0)
        finger.pointer_action.move_to(self.find(selector)).pointer_down().pointer_up()
        finger.perform()

    def resize(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=width < 600)

    def reset(self):
        """Restore the size of the window and the media features."""
        self.command("Emulation.clearDeviceMetricsOverride")
        self.command("Emulation.setEmulatedMedia", features=[])

    def media(self, **features):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def console(self):
        """Warnings and errors of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("WARNING", "SEVERE")]

    def addresses(self):
        """The addresses of all requests since the last call. The browser must have been opened with `network`."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def spoken(self):
        """The accessibility tree: a line for each element with a role and a name, indented."""
        nodes = {node["nodeId"]: node for node in self.command("Accessibility.getFullAXTree")["nodes"]}
        lines = []

        def speak(node, depth):
            role = node.get("role", {}).get("value", "")
            name = re.sub(r"\s+", " ", node.get("name", {}).get("value", "") or "").strip()
            shown = not node.get("ignored") and role not in NOT_SPOKEN and (name or role != "StaticText")
            if shown:
                state = [f"{p['name']}={p['value'].get('value')}" for p in node.get("properties", [])
                         if p["name"] in STATES and p["value"].get("value") not in (False, "false")]
                lines.append("  " * depth + " ".join([role, json.dumps(name, ensure_ascii=False), *state]))
            for child in node.get("childIds", []):
                if child in nodes:
                    speak(nodes[child], depth + bool(shown))

        speak(next(node for node in nodes.values() if "parentId" not in node), 0)
        return "\n".join(lines) + "\n"
