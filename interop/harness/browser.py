"""Headless Chromium, moved through the DevTools protocol over a pipe: no port, no further package.

A `Tab` keeps what its pages said and fetched: messages of the console, exceptions, violations of the content security policy,
addresses of requests.
"""

import base64
import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

from .suite import Failed, expect

ANSWER_S = 30  # for one command: machines are busy
# A browser without a screen, a profile, or anything that it would fetch by itself. Root has no sandbox.
QUIET = """
    --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions --disable-sync
    --disable-background-networking --disable-component-update --disable-default-apps --no-proxy-server --hide-scrollbars
    --disable-features=OptimizationHints,MediaRouter,Translate --remote-debugging-pipe
""".split()
# Passing a descriptor on keeps its number: this program moves both to where Chromium expects them, and becomes it.
MOVED = """
import os, sys
commands, answers = (os.dup2(int(number), 20 + k) for k, number in enumerate(sys.argv[1:3]))
os.dup2(commands, 3)
os.dup2(answers, 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """A running Chromium. `with Browser() as browser: tab = browser.tab()`."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # It reads commands from descriptor 3 and writes answers to 4: objects in JSON, each ended by a byte of zero.
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        command = ["chromium", *QUIET, f"--user-data-dir={self._folder.name}", "about:blank"]
        command = [sys.executable, "-c", MOVED, str(commands), str(answers), *command]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, pass_fds=(commands, answers))
        os.close(commands)
        os.close(answers)
        self._number = 0
        self._waiting = {}
        self._tabs = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError, Failed):
            self.call("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._commands)
        self._folder.cleanup()

    def _read(self):
        with os.fdopen(self._answers, "rb", buffering=0) as answers:
            left = b""
            while part := answers.read(1 << 16):
                *whole, left = (left + part).split(b"\0")
                for message in whole:
                    self._told(json.loads(message))

    def _told(self, message):
        if "id" in message:
            with self._lock:
                waiting = self._waiting.pop(message["id"], None)
            if waiting:
                waiting.put(message)
        elif tab := self._tabs.get(message.get("sessionId")):
            tab.told(message["method"], message["params"])

    def call(self, method, session=None, **parameters):
        """One command; hands back its result."""
        answer = queue.Queue()
        with self._lock:
            self._number += 1
            number = self._number
            self._waiting[number] = answer
        command = {"id": number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        try:
            message = answer.get(timeout=ANSWER_S)
        except queue.Empty:
            raise Failed(f"no answer to {method} in {ANSWER_S} s") from None
        expect("error" not in message, f"{method}: {message.get('error')}")
        return message["result"]

    def tab(self, width=1440, height=900, dark=False, scripts=True, scale=1):
        """A new tab with cookies and storage of its own."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        self._tabs[session] = tab
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            tab.call(f"{domain}.enable")
        tab.size(width, height, scale)
        tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        tab.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        return tab


class Tab:
    """A tab: opens addresses, evaluates expressions, types."""

    def __init__(self, browser, session):
        self._browser = browser
        self._session = session
        self.complaints = []
        self.fetched = []
        self.requests = 0
        self._loaded = threading.Event()

    def told(self, method, parameters):
        match method:
            case "Page.loadEventFired":
                self._loaded.set()
            case "Runtime.consoleAPICalled":
                self.complaints.append(f"console: {[one.get('value') for one in parameters['args']]}")
            case "Runtime.exceptionThrown":
                thrown = parameters["exceptionDetails"]
                self.complaints.append(f"exception: {thrown.get('exception', thrown).get('description', thrown['text'])}")
            case "Log.entryAdded":
                self.complaints.append(f"log: {parameters['entry']['text']}")
            case "Audits.issueAdded" if "contentSecurityPolicyIssueDetails" in parameters["issue"]["details"]:
                self.complaints.append(f"policy: {parameters['issue']['details']}")
            case "Page.javascriptDialogOpening":
                self.complaints.append(f"dialog: {parameters['message']}")
                threading.Thread(target=self.call, args=("Page.handleJavaScriptDialog",), kwargs={"accept": False}, daemon=True).start()
            case "Network.requestWillBeSent":
                self.fetched.append(parameters["request"]["url"])

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def size(self, width, height, scale=1):
        phone = width < 640
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)

    def open(self, address):
        """Opens an address and waits until it is loaded."""
        self._loaded.clear()
        answer = self.call("Page.navigate", url=address)
        expect(not answer.get("errorText"), f"{address}: {answer.get('errorText')}")
        expect(self._loaded.wait(ANSWER_S), f"{address} is not loaded after {ANSWER_S} s")
        return self

    @contextlib.contextmanager
    def leaving(self):
        """What is done within leads to another page, which is waited for."""
        self._loaded.clear()
        yield
        expect(self._loaded.wait(ANSWER_S), f"no other page after {ANSWER_S} s")

    def value(self, expression):
        """The value of an expression in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        thrown = answer.get("exceptionDetails")
        expect(not thrown, f"{expression}: {thrown and thrown.get('exception', thrown).get('description', thrown['text'])}")
        return answer["result"].get("value")

    def until(self, expression, within_s=ANSWER_S):
        """Waits until an expression is true; hands back its value."""
        end = time.monotonic() + within_s
        while True:
            if found := self.value(expression):
                return found
            expect(time.monotonic() < end, f"not in {within_s} s: {expression}")
            time.sleep(0.05)

    def key(self, key):
        """Presses a key and lets it go."""
        codes = {"Enter": 13, "Escape": 27, "Tab": 9}
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        """Types into what has the focus."""
        self.call("Input.insertText", text=text)

    def click(self, selector):
        """Clicks in the middle of an element, as a hand does: what lies over it gets the click."""
        at = self.value(
            f"(()=>{{const e=document.querySelector({json.dumps(selector)});if(!e)return null;e.scrollIntoView({{block:'center'}});"
            "const r=e.getBoundingClientRect();return[r.x+r.width/2,r.y+r.height/2]})()"
        )
        expect(at, f"no {selector} to click")
        for event in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=event, x=at[0], y=at[1], button="left", clickCount=1)

    def picture(self, whole=False):
        """What is seen, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"])
