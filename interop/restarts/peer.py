"""Eight servers that are restarted one after the other under eight callers of every client protocol: by SIGTERM, and by kill -9."""

import collections
import contextlib
import queue
import random
import socket
import subprocess
import threading
import time

from harness import expect, our_programs, ours, same

NEEDS = [our_programs]

SERVERS = 8
CALLERS = 8
# Each server is restarted so often.
LAPS = 2
# How long a server is away, and how long it is there again before the next one goes.
AWAY_S, THERE_S = 0.1, 0.3
# What may take a while on a busy machine.
PATIENCE_S = 30

# The protocol of the client, and how the server calls it. They say goodbye: a client knows of each call whether it was begun.
GOODBYE = {
    "baidu_std": "baidu_std", "streaming_rpc": "baidu_std", "hulu_pbrpc": "hulu_pbrpc", "sofa_pbrpc": "sofa_pbrpc",
    "http": "http", "grpc-web": "http", "connect": "http", "h2": "h2", "grpc": "h2", "grpc:flatbuffers": "h2",
    "fb_rpc": "fb_rpc", "zmtp": "zmtp", "public_pbrpc": "public_pbrpc", "ubrpc_mcpack2": "ubrpc_mcpack2",
    "ubrpc_compack": "ubrpc_mcpack2",
}
# They have no word for it: a call is lost with its connection now and then, and is tried again.
NO_GOODBYE = {
    "rest_rpc:a": "rest_rpc", "rest_rpc:b": "rest_rpc", "redis": "redis", "nshead": "nshead", "nova_pbrpc": "nova_pbrpc",
    "nshead_mcpack": "nshead_mcpack",
}
UNTRIED = ("grpc, no retries", "baidu_std, no retries")

Calls = collections.namedtuple("Calls", "made during failed")


def run(suite):
    program = ours(suite, "restarts")
    for name, end in (("SIGTERM", Server.stop), ("kill -9", Server.kill)):
        fleet = restarted(program, end)
        table(name, fleet)
        for protocol in [*GOODBYE, *NO_GOODBYE]:
            with suite.check(f"{name}: {protocol} loses no call"):
                calls = fleet.calls[protocol]
                same(0, calls.failed, f"failed of {calls.made} calls ({fleet.said(protocol)})")
                expect(calls.during > 100, f"only {calls.during} calls while servers were restarted")
        if end is Server.stop:
            graceful(suite, fleet)
        else:
            with suite.check("kill -9: without retries calls are lost, so that there is something to see"):
                expect(sum(fleet.calls[name].failed for name in UNTRIED) > 0, "none was lost")


def graceful(suite, fleet):
    """What holds besides where servers say goodbye."""
    by_server = collections.Counter()
    for protocol, seen_as in GOODBYE.items():
        by_server[seen_as] += fleet.calls[protocol].made
    for untried in UNTRIED:
        by_server[GOODBYE[untried.split(",")[0]]] += fleet.calls[untried].made - fleet.calls[untried].failed
    for protocol, made in by_server.items():
        with suite.check(f"SIGTERM: each call over {protocol} is executed once"):
            same(made, fleet.executed[protocol], "executed")
    with suite.check("SIGTERM: no server waits for its drain limit or cuts a connection off"):
        expect(fleet.longest_stop_s < 5, f"one took {fleet.longest_stop_s:.1f} s to stop")
        same([], [line for line in fleet.lines if line.startswith("stopped") and not line.endswith(": 0")], "connections cut off")


def table(name, fleet):
    """For docs/design/restarts.md."""
    for protocol in [*GOODBYE, *NO_GOODBYE, *UNTRIED]:
        calls = fleet.calls[protocol]
        print(f"     {name} | {protocol} | {calls.made} | {calls.during} | {calls.failed}", flush=True)


def restarted(program, end):
    """The fleet after its laps, ended."""
    fleet = Fleet(program)
    try:
        fleet.laps(end)
        fleet.hang_up()
    finally:
        fleet.clear()
    return fleet


class Fleet:
    def __init__(self, program):
        self.program = program
        ports = free_ports(2 * SERVERS)
        self.addresses = [(f"127.0.0.1:{port}", f"127.0.0.1:{raw}") for port, raw in zip(ports[::2], ports[1::2])]
        self.servers, self.callers, self.lines = [], [], []
        self.executed, self.calls, self.longest_stop_s = collections.Counter(), {}, 0.0

    def laps(self, end):
        self.servers = [Server(self.program, *addresses) for addresses in self.addresses]
        for server in self.servers:
            server.listens()
        urls = ["list://" + ",".join(addresses) for addresses in zip(*self.addresses)]
        self.callers = [Process([self.program, "call", *urls]) for _ in range(CALLERS)]
        for caller in self.callers:
            caller.expect("calling")
        time.sleep(1)  # every caller has connections to all of them
        self.tell("begin")
        for place in [*range(SERVERS)] * LAPS:
            began = time.monotonic()
            end(self.servers[place])
            self.longest_stop_s = max(self.longest_stop_s, time.monotonic() - began)
            self.count(self.servers[place])
            time.sleep(AWAY_S)
            self.servers[place] = Server(self.program, *self.addresses[place])
            self.servers[place].listens()
            time.sleep(THERE_S)
        self.tell("end")
        time.sleep(0.5)

    def tell(self, line):
        for caller in self.callers:
            caller.process.stdin.write(f"{line}\n")
            caller.process.stdin.flush()

    def hang_up(self):
        """The callers end, then the servers."""
        for caller in self.callers:
            caller.process.stdin.close()
        for caller in self.callers:
            caller.expect("ended")
            self.lines += caller.seen
            for line in caller.seen:
                if line.startswith("called "):
                    _, made, during, failed, protocol = line.split(" ", 4)
                    before = self.calls.get(protocol, Calls(0, 0, 0))
                    self.calls[protocol] = Calls(before.made + int(made), before.during + int(during), before.failed + int(failed))
        for server in self.servers:
            server.stop()
            self.count(server)

    def count(self, server):
        self.lines += server.rest()
        for line in server.seen:
            if line.startswith("executed "):
                _, protocol, calls = line.split()
                self.executed[protocol] += int(calls)

    def said(self, protocol):
        return "; ".join(line for line in self.lines if line.startswith(f"failed {protocol}: "))[:300] or "nothing"

    def clear(self):
        for process in [*self.servers, *self.callers]:
            process.kill()


def free_ports(many):
    """Ports that no outgoing connection takes while their server is away, as it could those that the system chooses."""
    found = []
    with contextlib.ExitStack() as held:
        for port in random.sample(range(10_000, 32_000), 1000):
            one = held.enter_context(socket.socket())
            with contextlib.suppress(OSError):
                one.bind(("127.0.0.1", port))
                found.append(port)
            if len(found) == many:
                return found
    expect(False, "no free ports")


class Process:
    """A program of ours, line by line."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.lines, self.seen = queue.Queue(), []
        self.reader = threading.Thread(target=lambda: [self.lines.put(line.rstrip()) for line in self.process.stdout], daemon=True)
        self.reader.start()

    def expect(self, beginning):
        """Waits for a line; the ones before it are kept."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                expect(False, f"no line {beginning!r} within {PATIENCE_S} s, but {self.seen[-3:]}")
            self.seen.append(line)
            if line.startswith(beginning):
                return

    def rest(self):
        """All its lines, when it has ended."""
        self.reader.join(PATIENCE_S)
        while not self.lines.empty():
            self.seen.append(self.lines.get())
        return self.seen

    def kill(self):
        self.process.kill()
        self.process.wait()


class Server(Process):
    def __init__(self, program, *addresses):
        super().__init__([program, "serve", *addresses])

    def listens(self):
        self.expect("nshead on ")

    def stop(self):
        self.process.terminate()
        expect(self.process.wait(PATIENCE_S) == 0, "a server that stops ends with 0")
