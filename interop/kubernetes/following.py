"""What our source makes of an API server's EndpointSlices."""

import contextlib
import ctypes
import http.client
import http.server
import re
import subprocess
import threading
import time

from harness import expect, ours, same
from parts import QUIET_S, SEEN_S, Lines

# Of the range for documentation, since the API server refuses addresses of loopback. `namespace` makes them reach this machine.
A, B, C = "192.0.2.1", "192.0.2.2", "192.0.2.3"
# The pause before another attempt doubles while the API server is away, which starts slowly on a busy machine.
AFTER_OUTAGE_S = 60


def namespace():
    """Gives this thread, and what it starts, a network of its own, in which the addresses are those of its loopback."""
    CLONE_NEWNET = 0x40000000
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    for words in (["link", "set", "lo", "up"], *(["addr", "add", f"{address}/32", "dev", "lo"] for address in (A, B, C))):
        subprocess.run(["ip", *words], check=True)


def watching(suite, api, url=None):
    return Lines(ours(suite, "registry"), "watch", url or api.url(), str(api.account))


def line(*addresses):
    return " ".join(["set", *(f"{address}:8000" for address in sorted(addresses))])


def changes(suite, api):
    with watching(suite, api) as watch:
        with suite.check("a service without slices is an empty set"):
            watch.expect("set")
        with suite.check("slices that are added, changed and deleted are seen"):
            api.create("one", A, B)
            watch.expect(line(A, B))
            api.create("two", C)
            watch.expect(line(A, B, C))
            api.delete("one")
            watch.expect(line(C))
        with suite.check("endpoints that are not ready are left out"):
            both = lambda ready: {"endpoints": [
                {"addresses": [C], "conditions": {"ready": True}}, {"addresses": [A], "conditions": {"ready": ready}}
            ]}
            api.patch("two", both(True))
            watch.expect(line(A, C))
            api.patch("two", both(False))
            watch.expect(line(C))
        with suite.check("a slice that is given to another service is gone, and comes back"):
            api.create("three", B)
            watch.expect(line(B, C))
            api.relabel("three", "another")
            watch.expect(line(C))
            api.relabel("three", "echo")
            watch.expect(line(B, C))
            api.delete("three")
            watch.expect(line(C))
        with suite.check("an address in two slices counts once"):
            api.create("same", C, A)
            watch.expect(line(A, C))
            api.delete("same")
            watch.expect(line(C))
        with suite.check("names are addresses, too"):
            api.create("named", "a.example.test", kind="FQDN")
            watch.expect("set 192.0.2.3:8000 a.example.test:8000")
            api.delete("named")
            watch.expect(line(C))
        with suite.check("a port is found by its name"), watching(suite, api, api.url("other")) as other:
            other.expect(f"set {C}:8001")
        api.delete("two")
        watch.expect("set")


def tokens(suite, api):
    api.create("one", A)
    api.write_token("wrong")
    with watching(suite, api) as watch:
        with suite.check("a wrong token is told, and the right one is read from the file"):
            error = watch.lines.get(timeout=SEEN_S)
            expect("Unauthorized" in error or "401" in error, f"it said {error!r}")
            api.write_token(api.token)
            watch.expect(line(A))
        with suite.check("a token that is replaced while the API server restarts is read again"):
            api.kill()
            watch.expect_error()
            api.token = "second"
            api.start()  # which writes the new one
            api.create("two", B)
            watch.expect(line(A, B), AFTER_OUTAGE_S)
        with suite.check("SIGSTOP leaves the set, and what changes afterwards is seen"):
            api.pause()
            watch.expect_no_set()
            api.resume()
            api.delete("two")
            watch.expect(line(A))
    api.delete("one")


def under_load(suite, api):
    """Servers are called, and replaced, while their API server is stopped and killed."""
    program = ours(suite, "registry")
    serve = lambda address: Lines(program, "serve", "dns://none", f"{address}:8000")
    with serve(A) as one, serve(B) as two, serve(C) as three, contextlib.ExitStack() as later:
        for server in (one, two, three):
            server.listening()
        api.create("load", A, B)
        with suite.check("no call fails while the API server is stopped, killed and restarted, and all servers are replaced"):
            caller = later.enter_context(Lines(program, "call", api.url(), str(api.account)))
            caller.expect("calling")
            api.pause()
            time.sleep(QUIET_S)
            api.resume()
            # Whoever did not hear of this would have nobody to call.
            api.patch("load", {"endpoints": [{"addresses": [C]}]})
            for server in (one, two):
                server.end()
                server.expect("stopped")
            time.sleep(QUIET_S)
            api.kill()
            time.sleep(QUIET_S)
            api.start()
            time.sleep(QUIET_S)
            caller.end()
            caller.expect("called")
            _, made, _, failed = caller.seen[-1].split()
            same("0", failed, f"failed of {made} calls, {caller.seen[-4:-1]}")
            expect(int(made) > 200, f"only {made} calls")
        api.delete("load")


def lost_history(suite, api):
    """Watches that end after a second, by a proxy that says so to the API server."""
    api.create("one", A)
    with Proxy(api) as proxy, watching(suite, api, proxy.url) as watch:
        with suite.check("watches that end go on from the last version, without another list"):
            watch.expect(line(A))
            watches = proxy.watches
            proxy.until_watches(watches + 3)
            api.create("two", B)
            watch.expect(line(A, B))
            proxy.until_watches(proxy.watches + 2)
            same(1, proxy.lists, "lists")
        with suite.check("a version that is gone is answered with 410, and means another list"):
            with proxy.held():
                api.create("three", C)
                api.delete("two")
                api.compact()
            watch.expect(line(A, C))
            same((1, 2), (proxy.gone, proxy.lists), "answers of 410, and lists")
        with suite.check("a version that is gone is no failure"):
            same([], [said for said in watch.seen if said.startswith("error")], "errors")


class Proxy:
    """Passes requests on to the API server, of watches such that last a second."""

    def __init__(self, api):
        proxy = self
        self.lists = self.watches = self.gone = 0
        self.is_open, self.under_way, self.changed = True, 0, threading.Condition()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                try:
                    self.pass_on()
                except (OSError, http.client.HTTPException):
                    self.close_connection = True  # one of both sides is gone

            def pass_on(self):
                watch = "watch=1" in self.path
                with proxy.changed:
                    proxy.changed.wait_for(lambda: proxy.is_open or not watch)
                    proxy.under_way += 1
                path = re.sub("timeoutSeconds=[0-9]+", "timeoutSeconds=1", self.path)
                try:
                    status, fields, body = api.ask("GET", path)
                finally:
                    with proxy.changed:
                        proxy.under_way -= 1
                        proxy.changed.notify_all()
                with proxy.changed:
                    proxy.watches += watch
                    proxy.lists += not watch
                    proxy.gone += '"code":410' in body
                    proxy.changed.notify_all()
                body = body.encode()
                self.send_response(status)
                self.send_header("Content-Type", fields["Content-Type"])
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"k8s://http://127.0.0.1:{self.server.server_port}/default/echo"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.let()
        self.server.shutdown()
        self.server.server_close()

    def let(self):
        with self.changed:
            self.is_open = True
            self.changed.notify_all()

    def until_watches(self, many):
        with self.changed:
            expect(self.changed.wait_for(lambda: self.watches >= many, SEEN_S), f"only {self.watches} watches within {SEEN_S} s")

    @contextlib.contextmanager
    def held(self):
        """No watch is open, and none begins."""
        with self.changed:
            self.is_open = False
            expect(self.changed.wait_for(lambda: self.under_way == 0, SEEN_S), f"a watch does not end within {SEEN_S} s")
        try:
            yield
        finally:
            self.let()
