"""Real registries under our sources and registrations: changes, kill -9, SIGSTOP, and the loss of all data."""

import base64
import contextlib
import json
import queue
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

from harness import eventually, expect, our_program, ours, same, tool

NEEDS = [tool("etcd"), our_program("registry")]
# What a change may take: the pause of a source grows while its registry is away.
SEEN_S = 15
# Longer than a set takes that should not come.
QUIET_S = 2


def run(suite):
    with Etcd() as etcd:
        watching(suite, etcd)
    with Etcd() as etcd:
        registering(suite, etcd)


def watching(suite, etcd):
    with Lines(ours(suite, "registry"), "watch", etcd.url("/echo")) as watch:
        with suite.check("etcd: an empty prefix is an empty set"):
            watch.expect("set")
        with suite.check("etcd: keys that are put, changed and deleted are seen"):
            etcd.put("echo/a", "10.0.0.1:80")
            watch.expect("set 10.0.0.1:80")
            etcd.put("echo/b", json.dumps({"Addr": "10.0.0.2:80", "weight": 3}))
            watch.expect("set 10.0.0.1:80 10.0.0.2:80*3")
            etcd.delete("echo/a")
            watch.expect("set 10.0.0.2:80*3")
        with suite.check("etcd: kill -9 leaves the last set, and its return is noticed"):
            etcd.kill()
            watch.expect_error()
            watch.expect_no_set()
            etcd.start()
            etcd.put("echo/c", "10.0.0.3:80")
            watch.expect("set 10.0.0.2:80*3 10.0.0.3:80")
        with suite.check("etcd: SIGSTOP leaves the last set, and changes after it are seen"):
            etcd.process.send_signal(signal.SIGSTOP)
            watch.expect_no_set()
            etcd.process.send_signal(signal.SIGCONT)
            etcd.delete("echo/b")
            watch.expect("set 10.0.0.3:80")
        with suite.check("etcd: a compacted history does no harm"):
            for n in range(20):
                etcd.put("other/x", str(n))
            etcd.kill()
            etcd.start()
            revision = int(etcd.put("echo/d", "10.0.0.4:80")["header"]["revision"])
            etcd.call("kv/compaction", revision=revision, physical=True)
            watch.expect("set 10.0.0.3:80 10.0.0.4:80")
            etcd.delete("echo/d")
            watch.expect("set 10.0.0.3:80")
        with suite.check("etcd: one that has lost its data is read anew"):
            etcd.kill()
            etcd.forget()
            etcd.start()
            etcd.put("echo/z", "10.0.0.9:80")
            watch.expect("set 10.0.0.9:80")
        with suite.check("etcd: a value that is no server is left out"):
            etcd.put("echo/bad", "\x01 nonsense")
            etcd.put("echo/y", "10.0.0.8:80")
            watch.expect("set 10.0.0.8:80 10.0.0.9:80")


def registering(suite, etcd):
    program = ours(suite, "registry")
    url = etcd.url("/echo")
    with Lines(program, "watch", url) as watch, Lines(program, "serve", url) as server:
        address = server.listening()
        with suite.check("etcd: a server is announced with its weight"):
            watch.expect(f"set {address}*2")
        with suite.check("etcd: a server is announced again to one that has lost its data"):
            etcd.kill()
            etcd.forget()
            etcd.start()
            expect(eventually(lambda: etcd.has(f"echo/{address}"), SEEN_S), "it is not there again")
        with suite.check("etcd: a server outlives SIGSTOP of its registry"):
            etcd.process.send_signal(signal.SIGSTOP)
            time.sleep(QUIET_S)
            etcd.process.send_signal(signal.SIGCONT)
            expect(eventually(lambda: etcd.has(f"echo/{address}"), SEEN_S), "it is gone")
        with suite.check("etcd: a server that stops is withdrawn"):
            server.process.stdin.close()
            server.expect("stopped")
            expect(not etcd.has(f"echo/{address}"), "it is still there")
        with Lines(program, "serve", url) as second:
            killed = second.listening()
            with suite.check("etcd: a server that is killed disappears with its lease"):
                watch.expect(f"set {killed}*2")
                second.process.kill()
                watch.expect("set")


class Lines:
    """A program of ours, line by line."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line.rstrip()) for line in self.process.stdout], daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def listening(self):
        return self.lines.get(timeout=SEEN_S).removeprefix("listening on ")

    def expect(self, line):
        """Waits for a line; others may come before it."""
        seen, end = [], time.monotonic() + SEEN_S
        while True:
            try:
                found = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                same(line, seen[-3:], f"lines within {SEEN_S} s")
                return
            if found == line:
                return
            seen.append(found)

    def expect_error(self):
        found = self.lines.get(timeout=SEEN_S)
        expect(found.startswith("error "), f"no failure was told, but {found!r}")

    def expect_no_set(self):
        end = time.monotonic() + QUIET_S
        with contextlib.suppress(queue.Empty):
            while True:
                found = self.lines.get(timeout=max(0.0, end - time.monotonic()))
                expect(not found.startswith("set"), f"another set: {found!r}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Etcd:
    """An etcd of one member, with its JSON gateway."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="polywire-etcd-")
        self.client, self.peer = free_port(), free_port()
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        self.forget()

    def start(self):
        client, peer = f"http://127.0.0.1:{self.client}", f"http://127.0.0.1:{self.peer}"
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(
            ["etcd", "--data-dir", self.folder, "--listen-client-urls", client, "--advertise-client-urls", client,
             "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}",
             "--heartbeat-interval", "10", "--election-timeout", "100"],
            stdin=quiet, stdout=quiet, stderr=quiet,
        )
        expect(eventually(self.is_up, SEEN_S), "etcd does not start")

    def is_up(self):
        with contextlib.suppress(OSError, ValueError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.client}/health", timeout=1) as answer:
                return json.load(answer)["health"] == "true"
        return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def forget(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, path):
        return f"etcd://127.0.0.1:{self.client}{path}"

    def call(self, what, **message):
        request = urllib.request.Request(f"http://127.0.0.1:{self.client}/v3/{what}", json.dumps(message).encode())
        with urllib.request.urlopen(request, timeout=SEEN_S) as answer:
            return json.load(answer)

    def put(self, key, value):
        return self.call("kv/put", key=text(key), value=text(value))

    def delete(self, key):
        return self.call("kv/deleterange", key=text(key))

    def has(self, key):
        return int(self.call("kv/range", key=text(key)).get("count", 0)) == 1


def text(plain):
    return base64.b64encode(plain.encode()).decode()
