"""Named checks, and the program under test as server, caller and load.

Every process started here is stopped here; ports are chosen by the servers, which say so on a line
`listening on HOST:PORT`.
"""

import contextlib
import dataclasses
import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
START_S = 30  # how long a server may take to say where it listens; the slow ones are Java's
STOP_S = 15


def find_program():
    """The program under test, or None."""
    chosen = os.environ.get("POLYWIRE", str(ROOT / "target/release/polywire"))
    return chosen if os.access(chosen, os.X_OK) else None


class Failed(Exception):
    """A check that does not hold; its text is the reason."""


def expect(holds, otherwise):
    if not holds:
        raise Failed(otherwise)


def same(expected, found, what="answer"):
    if expected != found:
        raise Failed(f"{what}: expected {shown(expected)}, found {shown(found)}")


def shown(value):
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}… ({len(text)} characters)"


@dataclasses.dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    # A peer may check several things at once.
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)


class Server:
    """A running server: `address` is HOST:PORT."""

    def __init__(self, name, command):
        self.name = name
        self.errors = []
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        addresses = queue.Queue()
        threading.Thread(target=self._watch, args=(addresses,), daemon=True).start()
        threading.Thread(target=self._keep_errors, daemon=True).start()
        try:
            self.address = addresses.get(timeout=START_S)
        except queue.Empty:
            self.address = None
        if self.address is None:
            self.kill()
            raise Failed(f"{name} did not say where it listens; it said: {' '.join(self.errors[-5:]) or 'nothing'}")
        host, port = self.address.rsplit(":", 1)
        self.host, self.port = host.strip("[]"), int(port)

    def _watch(self, addresses):
        for line in self.process.stdout:
            found = re.search(r"listening on (\S+:\d+)", line)
            if found:
                addresses.put(found.group(1))
        addresses.put(None)

    def _keep_errors(self):
        for line in self.process.stderr:
            self.errors = [*self.errors[-50:], line.rstrip()]

    def alive(self):
        return self.process.poll() is None

    def kill(self):
        """SIGKILL: what a crash looks like from outside."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """SIGTERM; hands back the exit code, None if it had to be killed."""
        self.process.terminate()
        try:
            return self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def resident_kib(self):
        """Memory of the process that is in use, in KiB."""
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text()).group(1))

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


class Suite:
    """The checks of one peer."""

    def __init__(self, peer, program, tally):
        self.peer = peer
        self.program = program
        self.tally = tally
        self._processes = []

    # Checks

    @contextlib.contextmanager
    def check(self, name):
        """A named check: passes unless the block raises; the next one runs all the same."""
        try:
            yield
        except Exception as reason:
            self.record(name, self._said(reason))
        else:
            self.record(name, None)

    @contextlib.contextmanager
    def check_only_failure(self, name):
        """A check that is too dull to mention when it holds."""
        try:
            yield
        except Exception as reason:
            self.record(name, self._said(reason))

    @contextlib.contextmanager
    def over(self, protocol):
        """Checks that are run once more over another protocol: their lines say so."""
        peer, self.peer = self.peer, f"{self.peer} over {protocol}"
        try:
            yield
        finally:
            self.peer = peer

    @staticmethod
    def _said(reason):
        return str(reason) if isinstance(reason, Failed) else f"{type(reason).__name__}: {reason}"

    def record(self, name, failure):
        """Counts and prints one check; `failure` is None when it holds."""
        with self.tally.lock:
            if failure is None:
                self.tally.passed += 1
                print(f"pass {self.peer}: {name}", flush=True)
            else:
                self.tally.failed += 1
                print(f"FAIL {self.peer}: {name}: {' '.join(failure.split())}", flush=True)

    def skip(self, reason):
        self.tally.skipped += 1
        print(f"skip {self.peer}: {reason}", flush=True)

    def relay(self, command, timeout_s, cwd=None):
        """Runs a foreign client that prints `pass NAME` and `FAIL NAME: reason` itself and counts its lines.

        It must end by itself with exit code 0, or with 1 after a `FAIL` line: a client that dies of an exception half way
        ends with 1 as well, and then its remaining checks were never made.
        """
        lines, failed = 0, 0
        process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace"
        )
        self._processes.append(process)
        watchdog = threading.Timer(timeout_s, process.kill)
        watchdog.start()
        for line in process.stdout:
            verdict, _, rest = line.rstrip().partition(" ")
            if verdict == "pass":
                self.record(rest, None)
            elif verdict == "FAIL":
                name, _, reason = rest.partition(": ")
                self.record(name, reason or "no reason given")
            lines += verdict in ("pass", "FAIL")
            failed += verdict == "FAIL"
        code = process.wait()
        watchdog.cancel()
        ended = code == 0 or (code == 1 and failed > 0)
        if not ended:
            self.record("the client runs to its end", f"it ended with {code} after {lines} checks")
        elif not lines:
            self.record("the client runs to its end", "it checked nothing")

    # The program under test

    @contextlib.contextmanager
    def serve(self, *options, listen="127.0.0.1:0"):
        """`polywire serve`; afterwards it must still run and end in peace at SIGTERM."""
        server = self.start(listen, *options)
        try:
            yield server
        finally:
            with self.check("the server survived all this and stops at SIGTERM"):
                expect(server.alive(), f"it ended by itself: {' '.join(server.errors[-5:])}")
                same(0, server.stop(), "exit code")

    def gateway(self, to, *options):
        """`polywire gateway` in front of the servers of a url; it must end in peace."""
        return self._gateway("--to", to, "--listen", "127.0.0.1:0", *options)

    @contextlib.contextmanager
    def gateway_by(self, text):
        """The same by a file of this text."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "gateway.toml")
            file.write_text(text)
            with self._gateway(file) as running:
                yield running

    @contextlib.contextmanager
    def _gateway(self, *arguments):
        running = self.foreign_server("polywire gateway", [self.program, "gateway", *arguments])
        try:
            yield running
        finally:
            with self.check("the gateway survived all this and stops at SIGTERM"):
                expect(running.alive(), f"it ended by itself: {' '.join(running.errors[-5:])}")
                same(0, running.stop(), "exit code")

    def start(self, listen="127.0.0.1:0", *options):
        """`polywire serve` without a promise about its end: for those who kill it."""
        return self.foreign_server("polywire serve", [self.program, "serve", "--listen", listen, *options])

    def background(self, command):
        """A process that says nothing of use; it is killed when the peer is through, if not before."""
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        self._processes.append(process)
        return process

    def foreign_server(self, name, command):
        """Any server that says `listening on HOST:PORT`."""
        server = Server(name, command)
        self._processes.append(server.process)
        return server

    def polywire(self, *arguments, timeout_s=60):
        """Runs the program to its end; hands back exit code, standard output, standard error."""
        return subprocess.run(
            [self.program, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout_s
        )

    def call(self, server, protocol, method, message=None):
        """`polywire call`; hands back its standard output. A Redis command is its own message."""
        body = [] if message is None else ["-d", json.dumps(message)]
        ran = self.polywire("call", "--server", server, "--protocol", protocol, method, *body)
        expect(ran.returncode == 0, f"polywire call ended with {ran.returncode}: {ran.stderr.strip()}")
        return ran.stdout

    def press(self, server, protocol, method, message=None, *options, duration_s=2):
        """`polywire press --json`; hands back its object. A Redis command is its own message."""
        body = [] if message is None else ["--input", json.dumps(message)]
        ran = self.polywire(
            *("press", "--server", server, "--protocol", protocol, "--method", method, *body),
            *("--duration", duration_s, "--json", *options),
            timeout_s=duration_s + 60,
        )
        expect(ran.returncode in (0, 1) and ran.stdout, f"polywire press ended with {ran.returncode}: {ran.stderr.strip()}")
        return json.loads(ran.stdout)

    def clean_up(self):
        """Ends whatever a failed check left running."""
        for process in self._processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()


def eventually(holds, within_s=5.0):
    """Whether `holds()` becomes true in time: for what a process does on its own account, such as closing."""
    end = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
