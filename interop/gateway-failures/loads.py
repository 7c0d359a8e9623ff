"""A gateway by a file, servers behind it, and callers that go on at their rate whatever becomes of their calls."""

import collections
import contextlib
import datetime
import json
import math
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from stubs import messages

from harness import GO_PROGRAMS, eventually, expect, grpc_cases, same
from harness.suite import Server

HERE = Path(__file__).resolve().parent
PROTO = HERE.parent / "rust/proto/grpc_testing.proto"
SERVICE = "grpc.testing.TestService"
ECHO_PROTO = HERE.parent.parent / "crates/cli/proto/example/echo.proto"
ECHO = "example.EchoService/Echo"
# Calls a second: far below what any part bears, so that what is lost is lost for what happens.
RATE = 300
# What may take a while on a busy machine.
PATIENCE_S = 15

# By which the resident memory of the gateway may grow where nothing is held.
GROWTH_KIB = 16 << 10
# As ghz names them.
JSON_CODES = {12: "Unimplemented", 13: "Internal"}

Call = collections.namedtuple("Call", "began ended status text")


class Scene:
    """The processes of one row, which end with it."""

    def __init__(self, suite, folder):
        self.suite, self.folder = suite, Path(folder)
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()

    def gateway(self, text, **options):
        gateway = Gateway(self.suite.program, self.folder, text, **options)
        self.stack.callback(gateway.stop)
        return gateway

    def grpc_go(self):
        return self.stack.enter_context(GrpcGo())

    def grpcio(self, *arguments):
        """The server of grpcio, see `server.py`."""
        server = self.suite.foreign_server("grpcio", [sys.executable, HERE / "server.py", *arguments])
        self.stack.callback(server.kill)
        return server


class Gateway(Server):
    """Our gateway, its file and its pages."""

    def __init__(self, program, folder, text, admin=None, logs=False):
        self.file, self.admin = folder / "gateway.toml", admin or grpc_cases.free_port()
        self.log = folder / "access.log" if logs else None
        self.write(text)
        super().__init__("polywire gateway", [program, "gateway", self.file])

    def write(self, text):
        """Another file takes the place of this one at once."""
        head, tables = text.split("[", 1)
        log = f'[access_log]\nfile = "{self.log}"\n' if self.log else ""
        text = f'{head}{log}[admin]\nlisten = "127.0.0.1:{self.admin}"\n[{tables}'
        self.file.with_suffix(".new").write_text(text)
        self.file.with_suffix(".new").replace(self.file)

    def reload(self, ok=True):
        """Reads its file again, and has done so afterwards."""
        result = {"result": "ok" if ok else "failed"}
        before = self.metric("polywire_gateway_reload_total", **result)
        self.process.send_signal(signal.SIGHUP)
        read = lambda: self.metric("polywire_gateway_reload_total", **result) > before
        expect(eventually(read, PATIENCE_S), f"the file is not read again: {self.errors[-2:]}")

    def page(self, path="gateway"):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/{path}", timeout=PATIENCE_S) as answer:
            return answer.read().decode()

    def metric(self, name, **labels):
        """The sum of the series with these labels."""
        lines = (line.rpartition(" ") for line in self.page("metrics").splitlines() if line.startswith(f"{name}{{"))
        wanted = [f'{label}="{value}"' for label, value in labels.items()]
        return sum(float(value) for series, _, value in lines if all(one in series for one in wanted))

    def logged(self):
        """The lines of its access log."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def calls(self):
        return self.metric("polywire_gateway_calls_total")

    def finding(self, rule):
        return self.metric("polywire_finding", rule=rule) > 0


class GrpcGo:
    """The interop server of grpc-go, at the same port after each start."""

    def __init__(self):
        self.port = grpc_cases.free_port()
        self.address = f"127.0.0.1:{self.port}"

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    def start(self):
        quiet = subprocess.DEVNULL
        command = [GO_PROGRAMS / "grpc-go-server", "-port", str(self.port)]
        self.process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        grpc_cases.wait_for("grpc-go's server", self.port)

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Calls:
    """Calls that have ended."""

    def __init__(self, calls):
        self.calls = sorted(calls)

    def __len__(self):
        return len(self.calls)

    def __add__(self, others):
        return Calls(self.calls + others.calls)

    def failed(self):
        return [call for call in self.calls if call.status != "OK"]

    def lost(self):
        return collections.Counter(call.status for call in self.failed())

    def in_flight(self, first, last):
        """Those that were under way at any time in between."""
        return [call for call in self.calls if call.began <= last and call.ended >= first]

    def between(self, first, last=math.inf):
        """Those that began then."""
        return Calls(call for call in self.calls if first <= call.began <= last)

    def again_after(self, at):
        """From what happened at this time until calls that began succeeded again, in seconds."""
        return max([0.0, *(call.began - at for call in self.failed())]) if at else 0.0

    def longest(self, share=1.0):
        """The time that this share of the calls took at most."""
        times = sorted(call.ended - call.began for call in self.calls)
        return times[min(int(share * len(times)), len(times) - 1)] if times else 0.0

    def none_lost(self):
        expect(not self.failed(), f"lost of {len(self)} calls: {dict(self.lost())}: {[call.text for call in self.failed()[:2]]}")


class Load:
    """Calls by ghz, each begun at its time: from when some have been answered until they are `ended`."""

    def __init__(self, gateway, seconds=2.0, method="UnaryCall", message="{}", rate=RATE, timeout="2s", options=(), at_once=False, proto=PROTO):
        self.gateway, total = gateway, int(rate * seconds)
        call = method if "/" in method else f"{SERVICE}/{method}"
        tls = [] if "--cacert" in options else ["--insecure"]
        command = [GO_PROGRAMS / "ghz", *tls, "--proto", proto, "--call", call, "-d", message, "-O", "json", "--async"]
        command += ["-r", str(rate), "-n", str(total), "-t", timeout, *options, gateway.address]
        before = gateway.calls()
        self.began = time.time()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # What it writes is longer than a pipe.
        self.said, self.pool = None, ThreadPoolExecutor(1)
        self.said = self.pool.submit(self.process.communicate, timeout=seconds + 2 * PATIENCE_S)
        if not at_once:
            expect(eventually(lambda: gateway.calls() >= before + rate // 6, PATIENCE_S), "no call is answered")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.pool.shutdown()

    def ended(self):
        said, errors = self.said.result()
        expect(self.process.returncode == 0, f"ghz ended with {self.process.returncode}: {errors[-300:]}")
        return Calls(read(one) for one in json.loads(said)["details"] or [])


def read(one):
    """A call as ghz tells it: when it ended, and how long it took."""
    ended = datetime.datetime.fromisoformat(one["timestamp"]).timestamp()
    return Call(ended - one["latency"] / 1e9, ended, one["status"], one["error"])


def paced(call, rate, until):
    """Calls at this rate, on threads, until this holds; `call` hands back status and text."""
    found, lock, began = [], threading.Lock(), time.time()

    def one():
        at = time.time()
        try:
            status, text = call()
        except Exception as error:  # a lost call as any other
            status, text = type(error).__name__, str(error)
        with lock:
            found.append(Call(at, time.time(), status, text))

    with ThreadPoolExecutor(32) as pool:
        while not until(found):
            expect(time.time() - began < 3 * PATIENCE_S, f"it takes too long: {found[-1:]}")
            pool.submit(one)
            time.sleep(max(0.0, began + len(found) / rate - time.time(), 0.5 / rate))
    return Calls(found)


def json_call(gateway, method, body="{}"):
    """A call in JSON, by plain HTTP: the status, and the mark and the text of a failure."""
    request = urllib.request.Request(f"http://{gateway.address}/{SERVICE}/{method}", body.encode(), {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as reply:
            return "OK", reply.read().decode()
    except urllib.error.HTTPError as error:
        said = json.loads(error.read())
        return JSON_CODES.get(said["code"], str(said["code"])), f"{error.headers.get('polywire-gateway')}: {said['message']}"


class Stream(threading.Thread):
    """A stream of replies to grpcio: how many there have been, and how it ended."""

    def __init__(self, channel, parts, interval_ms, size=1):
        super().__init__(daemon=True)
        one = messages.ResponseParameters(size=size, interval_us=interval_ms * 1000)
        request = messages.StreamingOutputCallRequest(response_parameters=[one] * parts)
        self.call = channel.unary_stream(f"/{SERVICE}/StreamingOutputCall")(request.SerializeToString(), timeout=2 * PATIENCE_S)
        self.parts, self.status = 0, None
        self.start()

    def run(self):
        try:
            for _ in self.call:
                self.parts += 1
            self.status = "OK"
        except grpc.RpcError as error:
            self.status = error.code().name


class Talk(threading.Thread):
    """A stream both ways of grpcio: an answer to each message, one after the other, until it is told to end."""

    def __init__(self, channel, pause_s=0.05):
        super().__init__(daemon=True)
        self.pause_s, self.over = pause_s, threading.Event()
        self.sent, self.answers, self.status = 0, 0, None
        one = messages.ResponseParameters(size=1)
        self.message = messages.StreamingOutputCallRequest(response_parameters=[one]).SerializeToString()
        self.call = channel.stream_stream(f"/{SERVICE}/FullDuplexCall")(self.requests(), timeout=4 * PATIENCE_S)
        self.start()

    def requests(self):
        while not self.over.wait(self.pause_s):
            self.sent += 1
            yield self.message

    def run(self):
        try:
            for _ in self.call:
                self.answers += 1
            self.status = "OK"
        except grpc.RpcError as error:
            self.status = f"{error.code().name}: {error.details()}"

    def end(self):
        """Its status, when each message has been answered."""
        self.over.set()
        self.join(PATIENCE_S)
        return self.status if self.answers == self.sent else f"{self.status} after {self.answers} of {self.sent} answers"


class Table:
    """For docs/design/gateway-failures.md: what happened, and what became of the calls."""

    def __init__(self):
        print("     what | calls | lost | succeed again after | MiB before | MiB after | ", flush=True)

    def row(self, name, calls, gateway, before_kib, at=None, noted="", most_kib=GROWTH_KIB):
        """`at`: when it happened; the memory is that of the gateway, which may have grown by `most_kib`."""
        grown = gateway.resident_kib() - before_kib
        lost = ", ".join(f"{count} {status}" for status, count in sorted(calls.lost().items())) or "0"
        memory = f"{before_kib / 1024:.1f} | {gateway.resident_kib() / 1024:.1f}"
        print(f"     {name} | {len(calls)} | {lost} | {calls.again_after(at) * 1000:.0f} ms | {memory} | {noted}", flush=True)
        expect(grown < most_kib, f"the gateway has grown by {grown} KiB")
