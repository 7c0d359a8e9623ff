"""What changes around calls: the file, the registry, the process, the certificate."""

import contextlib
import socket
import ssl
import threading
import time
from pathlib import Path

import grpc
from loads import PATIENCE_S, Load, Talk
from parts import Etcd
from servers_fail import fleet

from harness import Certificates, eventually, expect, same

STREAMS = 10
# How long the calls of a process have to end that has handed its sockets over.
DRAIN_S = 10


def reloaded(suite, scene, table):
    """Another file each half second, in which calls go to the other server, while streams are open."""
    one, other = scene.grpc_go(), scene.grpc_go()
    files = [fleet(one), fleet(other, route='timeout = "5s"')]
    gateway = scene.gateway(files[0])
    with suite.check("another file each half second: no call is lost, and streams go on"), Load(gateway, 3.0) as load:
        with grpc.insecure_channel(gateway.address) as channel:
            talks = [Talk(channel) for _ in range(STREAMS)]
            expect(eventually(lambda: all(talk.answers > 2 for talk in talks), PATIENCE_S), "streams do not begin")
            before = gateway.resident_kib()
            at = time.time()
            for n in range(1, 5):
                gateway.write(files[n % 2])
                gateway.reload()
                time.sleep(0.5)
            statuses = [talk.end() for talk in talks]
        calls = load.ended()
        table.row("another file each half second", calls, gateway, before, at, f"{STREAMS} streams go on, {sum(talk.answers for talk in talks)} answers")
        same(["OK"] * STREAMS, statuses, "ends of streams that were open all the time")
        expect("version: 5 " in gateway.page(), f"{gateway.page()[:40]!r}")
        calls.none_lost()


def broken(suite, scene, table):
    """A file with a mistake, and none."""
    go = scene.grpc_go()
    good = fleet(go)
    gateway = scene.gateway(good)
    with suite.check("a broken file, and one that is gone: no call is lost, and a finding until there is a good one"), Load(gateway) as load:
        before = gateway.resident_kib()
        found = lambda: gateway.finding("gateway_reload")
        expect(not found(), "a finding before anything has happened")
        at = time.time()
        gateway.write(good.replace('to = "fleet"', 'to = "fleeet"'))
        gateway.reload(ok=False)
        mistaken, page = eventually(found), gateway.page()
        gateway.file.unlink()
        gateway.reload(ok=False)
        gone, then = eventually(found), gateway.page()
        gateway.write(good)
        gateway.reload()
        calls = load.ended()
        table.row("a broken file, one that is gone, a good one", calls, gateway, before, at)
        expect(mistaken and 'did you mean "fleet"' in page, page[:300])
        expect(gone and "No such file" in then, then[:300])
        expect(eventually(lambda: not found()), "the finding stays")
        calls.none_lost()


def registry(suite, scene, table):
    """etcd is killed, stands still, and comes back with another server."""
    one, other = scene.grpc_go(), scene.grpc_go()
    with Etcd() as etcd:
        etcd.put("echo/one", one.address)
        gateway = scene.gateway(
            f'[listeners.main]\nlisten = "127.0.0.1:0"\n[clusters.fleet]\nprotocol = "grpc"\nservers = "{etcd.url("/echo")}"\n'
            '[[routes]]\nmatch = "*"\nto = "fleet"\n'
        )
        with suite.check("a registry that is killed, stands still and comes back: no call is lost"), Load(gateway, 4.0) as load:
            before = gateway.resident_kib()
            at = time.time()
            etcd.kill()
            time.sleep(0.7)
            etcd.start()
            etcd.pause()
            time.sleep(0.7)
            etcd.resume()
            # What it then says is heard: the other server has the calls.
            etcd.put("echo/other", other.address)
            etcd.delete("echo/one")
            ready = lambda: other.address in gateway.page("why")
            heard = eventually(ready, PATIENCE_S)
            took = time.time() - at
            calls = load.ended()
            table.row("etcd: `kill -9`, SIGSTOP, another server", calls, gateway, before, at, f"heard after {took:.1f} s")
            expect(heard, f"the other server is not in use: {gateway.page('why')[:300]}")
            calls.none_lost()


def handed_over(suite, scene, table):
    """Another process takes the sockets over, while connections are made without pause; then a third one, while a stream goes on."""
    text = f'hand_over = "{scene.folder}/handover"\n' + fleet(scene.grpc_go())
    gateway = scene.gateway(text)
    with suite.check("another process: no connection is refused, and no call is lost"):
        with Load(gateway, options=["--connections", "4", "-c", "4"]) as load:
            before = gateway.resident_kib()
            with connecting(gateway) as connections:
                at = time.time()
                second = scene.gateway(text, admin=gateway.admin)
                code = gateway.process.wait(PATIENCE_S)
                took = time.time() - at
                calls = load.ended()
        noted = f"{connections.made} connections; the first process ended after {took * 1000:.0f} ms"
        table.row("another process takes over", calls, second, before, at, noted)
        same((gateway.address, 0), (second.address, code), "address of the second, exit code of the first")
        same([], connections.refused[:2], "connections that were refused")
        expect(connections.made > 100, f"only {connections.made} connections")
        calls.none_lost()
    with suite.check("another process: a stream that does not end is cut after 10 s, and named"):
        with grpc.insecure_channel(second.address) as channel, Load(second, DRAIN_S + 1.5) as load:
            talk = Talk(channel)
            expect(eventually(lambda: talk.answers > 2, PATIENCE_S), "the stream does not begin")
            before = second.resident_kib()
            at = time.time()
            third = scene.gateway(text, admin=gateway.admin)
            code = second.process.wait(DRAIN_S + PATIENCE_S)
            took = time.time() - at
            talk.end()
            calls = load.ended()
        table.row("the same, while a stream goes on", calls, third, before, at, f"cut after {took:.1f} s")
        same(0, code, "exit code of the second process")
        expect(talk.status.startswith("UNAVAILABLE"), f"the stream ended with {talk.status}")
        expect(DRAIN_S - 0.5 < took < DRAIN_S + 3, f"the second process ended after {took:.1f} s")
        closed = [line for line in second.errors if "closed" in line]
        expect(len(closed) == 1 and "127.0.0.1:" in closed[0], f"it says {second.errors}")
        calls.none_lost()


class connecting:
    """Connections one after the other, and what became of them."""

    def __init__(self, gateway, context=None):
        self.gateway, self.context = gateway, context
        self.made, self.refused, self.over = 0, [], threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.over.wait(0.005):
            try:
                with socket.create_connection((self.gateway.host, self.gateway.port), PATIENCE_S) as one:
                    if self.context:
                        self.context.wrap_socket(one, server_hostname="localhost").close()
                self.made += 1
            except OSError as error:
                self.refused.append(str(error))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def certified(suite, scene, table):
    """The certificate of a listener is replaced by one of another issuer; callers know both."""
    issuers = []
    for name in "first", "second":
        (scene.folder / name).mkdir()
        issuers.append(Certificates(scene.folder / name))
    first, second = issuers
    both, used = scene.folder / "both.pem", Path(scene.folder, "used")
    both.write_text("".join(Path(one("ca.pem")).read_text() for one in issuers))
    # As mounted secrets are: certificate and key are replaced together, by one link.
    used.symlink_to(first.folder)
    go = scene.grpc_go()
    gateway = scene.gateway(fleet(go, listener=f'tls = {{ cert = "{used}/a.pem", key = "{used}/a.key" }}'))
    by_both, by_second = ssl.create_default_context(cafile=both), ssl.create_default_context(cafile=second("ca.pem"))
    callers = {"options": ["--cacert", str(both), "--cname", "localhost"]}
    with suite.check("another certificate: no call is lost, new connections see it"), Load(gateway, 3.0, **callers) as load:
        before = gateway.resident_kib()
        with connecting(gateway, by_both) as connections:
            at = time.time()
            link = scene.folder / "next"
            link.symlink_to(second.folder)
            link.replace(used)
            seen = eventually(lambda: shakes_hands(gateway, by_second), PATIENCE_S)
            took = time.time() - at
            calls = load.ended()
        table.row("another certificate", calls, gateway, before, at, f"{connections.made} connections; seen after {took:.1f} s")
        expect(seen, f"new connections do not see it: {gateway.errors[-2:]}")
        same([], connections.refused[:2], "handshakes that failed")
        expect(connections.made > 50, f"only {connections.made} connections")
        calls.none_lost()


def shakes_hands(gateway, context):
    with contextlib.suppress(ssl.SSLError):
        with socket.create_connection((gateway.host, gateway.port), PATIENCE_S) as one:
            context.wrap_socket(one, server_hostname="localhost").close()
            return True
    return False


ROWS = [reloaded, broken, registry, handed_over, certified]
