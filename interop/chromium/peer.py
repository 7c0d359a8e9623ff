"""Chromium: grpc-web and Connect by a page's `fetch`, and calls over WebSocket, from another origin, over HTTP/1.1 and over HTTP/2; the
page of the example `websocket` in two windows."""

import functools
import http.server
import json
import os
import queue
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlencode

from harness import Certificates, our_programs, ours, same, tool
from harness.browser import Browser

NEEDS = [tool("chromium"), tool("openssl"), our_programs]
HERE = Path(__file__).resolve().parent
# Until the next check is told; the first one waits for the browser to start.
PATIENCE_S = 60
CHECKS = {"let in": 20, "let in by fetch": 13, "stranger": 3}
# What users give their pages.
SCRIPT = HERE.parent.parent / "crates/services/websocket/js/polywire.js"
# A browser without a screen, a profile, or anything that it would fetch by itself. Root has no sandbox.
QUIET = """
    --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions --disable-sync
    --disable-background-networking --disable-component-update --disable-default-apps --no-proxy-server
    --ignore-certificate-errors
""".split()


def run(suite):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, Pages() as pages:
        certificates = Certificates(Path(folder))
        program = ours(suite, "grpc-testing-server")
        origin = ["--cross-origin", f"http://127.0.0.1:{pages.port}"]
        plain = suite.foreign_server("grpc-testing-server", [program, *origin, "--protocols", "http"])
        secure = suite.foreign_server("grpc-testing-server", [program, *origin, "--protocols", "h2", *certificates.server()])
        browse = functools.partial(browser, suite, pages, folder)
        browse("HTTP/1.1", "127.0.0.1", {"server": f"http://{plain.address}"}, "let in")
        browse("HTTP/2", "127.0.0.1", {"server": f"https://{secure.address}"}, "let in by fetch")
        browse("HTTP/1.1", "localhost", {"server": f"http://{plain.address}", "stranger": ""}, "stranger")
        relayed(suite, pages, browse)
        for server in (plain, secure):
            with suite.check("our server stops at SIGTERM"):
                same(0, server.stop(), "exit code")
    room(suite)


def relayed(suite, pages, browse):
    """The same through `polywire gateway`, to a server of gRPC."""
    behind = suite.foreign_server("grpc-testing-server", [ours(suite, "grpc-testing-server"), "--protocols", "h2"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "gateway.toml")
        file.write_text(
            '[listeners.pages]\nlisten = "127.0.0.1:0"\nprotocols = ["grpc-web", "connect", "websocket"]\n'
            f'origins = ["http://127.0.0.1:{pages.port}"]\n'
            f'[clusters.a]\nprotocol = "grpc"\nservers = "{behind.address}"\nschemas = "reflection"\n'
            '[[routes]]\nmatch = "*"\nto = "a"\n'
        )
        gateway = suite.foreign_server("polywire gateway", [suite.program, "gateway", file])
        server = f"http://{gateway.address}"
        browse("gateway", "127.0.0.1", {"server": server}, "let in")
        browse("gateway", "localhost", {"server": server, "stranger": ""}, "stranger")
        for stopped in (gateway, behind):
            stopped.stop()


def room(suite):
    """The example's page: what is said in one window is heard in both, until the server goes."""
    server = suite.foreign_server("room-server", [ours(suite, "room-server")])
    with Browser() as chromium:
        tabs = {name: chromium.tab(width=800, height=600) for name in ("Ada", "Bob")}
        with suite.check("example: two windows are in the room"):
            for name, tab in tabs.items():
                tab.open(f"http://{server.address}/room").until("state.textContent === 'in the room'")
                tab.value(f"who.value = '{name}'")
        with suite.check("example: each hears what either says, in order, and nothing becomes markup"):
            said = [("Ada", "hello"), ("Bob", "<b>hello</b> \U0001f44b"), ("Ada", "so we can talk both ways")]
            for number, (name, text) in enumerate(said):
                tabs[name].click("#text")
                tabs[name].type(text)
                tabs[name].key("Enter")
                for tab in tabs.values():
                    tab.until(f"lines.children.length === {number + 2}")
            expected = ["roomwelcome", *(name + text for name, text in said)]
            for tab in tabs.values():
                same(expected, tab.value("[...lines.children].map((line) => line.textContent)"))
        if folder := os.environ.get("PICTURES"):
            Path(folder, "room.png").write_bytes(tabs["Ada"].picture())
        with suite.check("example: a failure is shown, and in one window only"):
            tabs["Bob"].value("text.removeAttribute('maxlength'), text.value = 'x'.repeat(2001), say.requestSubmit()")
            tabs["Bob"].until("state.textContent === 'invalid_argument: more than 2000 bytes'")
            same("in the room", tabs["Ada"].value("state.textContent"))
        with suite.check("example: our server stops at SIGTERM, and the page tells it"):
            same(0, server.stop(), "exit code")
            tabs["Ada"].until("/^unavailable: /.test(state.textContent)")
        with suite.check("example: the pages complained of nothing"):
            same([], [line for tab in tabs.values() for line in tab.complaints])


def browser(suite, pages, folder, over, host, asked, which):
    """Opens the page at this host in a new browser and records what it tells."""
    page = f"http://{host}:{pages.port}/page.html?{urlencode(asked)}"
    chromium = suite.background(["chromium", *QUIET, f"--user-data-dir={tempfile.mkdtemp(dir=folder)}", page])
    told = 0
    with suite.check_only_failure(f"{over}: the page runs to its end"):
        while "done" not in (report := pages.reports.get(timeout=PATIENCE_S)):
            suite.record(f"{over}: {report['name']}", report["reason"])
            told += 1
        same(CHECKS[which], told, "checks that were told")
    chromium.terminate()
    chromium.wait()


class Pages:
    """Serves this folder, and takes what its pages tell."""

    def __enter__(self):
        self.reports = queue.Queue()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def _handler(self):
        reports = self.reports

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=HERE)

            def translate_path(self, path):
                return str(SCRIPT) if path == "/polywire.js" else super().translate_path(path)

            def do_POST(self):
                reports.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        return Handler
