"""Our cluster client against six redis-server processes: slots that move and nodes that are killed, under load."""

import contextlib
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from harness import eventually, expect, our_programs, ours, same, tool
from harness.redis_servers import flush, under_load

NEEDS = [tool("redis-cli"), tool("redis-server"), our_programs]
CALLERS = 8
# A master that does not answer for so long is taken to have failed.
NODE_TIMEOUT_MS = 1000


def run(suite):
    with cluster() as nodes:
        redis = Nodes(nodes)
        with suite.check("a table of slots, and commands to the nodes that have them"):
            result = load(suite, redis, lambda: time.sleep(1))
            sound(result)
            same(0, result["failed"], "failed writes")
        with suite.check("slots move to another node and back under load: nothing fails, nothing is lost"):
            result = load(suite, redis, redis.move_slots)
            sound(result)
            same((0, 0), (result["failed"], result["lost"]), "failed and lost writes")
        with suite.check("a replica is killed under load: nothing fails, nothing is lost"):
            result = load(suite, redis, lambda: (redis.kill(redis.replica()), time.sleep(2)))
            sound(result)
            same((0, 0), (result["failed"], result["lost"]), "failed and lost writes")
        with suite.check("a master is killed under load: its replica takes over, and no number is wrong"):
            redis.restart()
            result = load(suite, redis, redis.fail_over)
            sound(result)
            # What redis-server acknowledges before its replica has it can be lost with it: a few milliseconds of writes.
            expect(result["lost"] <= 2 * 6 * CALLERS, f"{result['lost']} writes were lost")
            expect(result["failed"] <= 2 * CALLERS, f"{result['failed']} writes failed")
            expect(result["longest_ms"] < 20_000, f"nothing was written for {result['longest_ms']} ms")


def sound(result):
    same(0, result["wrong"], f"numbers that nobody has written; the program said {result['said'][:2000]}")
    expect(result["acknowledged"] > 100 and result["reads"] > 100, f"{result}")


def load(suite, redis, meanwhile):
    """What the program of interop/rust says after `meanwhile`."""
    for _, port in redis.masters():
        flush(port)  # else a write that fails leaves what the run before has written
    seeds = ",".join(f"127.0.0.1:{port}" for port in redis.alive())

    def then_settles():
        meanwhile()
        time.sleep(0.3)

    return under_load([str(ours(suite, "redis-cluster")), seeds, str(CALLERS), "15000"], then_settles)


class Nodes:
    def __init__(self, nodes):
        self.nodes = nodes  # port: (process, folder)

    def alive(self):
        return [port for port, (process, _) in self.nodes.items() if process.poll() is None]

    def cli(self, port, *words):
        command = ["redis-cli", "-h", "127.0.0.1", "-p", str(port), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout.strip()

    def table(self):
        """Of each node that is there: its id, port, flags, and ranges of slots."""
        found = []
        for line in self.cli(self.alive()[0], "cluster", "nodes").splitlines():
            node_id, address, flags, *rest = line.split()
            port = int(address.split("@")[0].rsplit(":", 1)[1])
            if port in self.alive() and "fail" not in flags.replace("fail?", "").split(","):
                found.append((node_id, port, flags, rest[5:]))
        return found

    def masters(self):
        return [(node_id, port) for node_id, port, flags, slots in self.table() if "master" in flags and slots]

    def replica(self):
        return next(port for _, port, flags, _ in self.table() if "slave" in flags)

    def kill(self, port):
        self.nodes[port][0].kill()
        self.nodes[port][0].wait()

    def restart(self):
        for port, (process, folder) in list(self.nodes.items()):
            if process.poll() is not None:
                self.nodes[port] = (start(port, folder), folder)
        expect(eventually(lambda: healthy(self.nodes), 30), "the cluster is not whole again")

    def fail_over(self):
        _, port = self.masters()[0]
        self.kill(port)
        whole = lambda: len(self.masters()) == 3 and all("cluster_state:ok" in self.cli(p, "cluster", "info") for p in self.alive())
        expect(eventually(whole, 30), "no replica has taken over")
        time.sleep(1)

    def move_slots(self):
        """Moves slots of keys that are in use, there and back, key by key as redis-cli does."""
        masters = self.masters()
        slots = sorted({int(self.cli(masters[0][1], "cluster", "keyslot", f"caller{id}-{at}")) for id in range(CALLERS) for at in range(2)}
                       | {int(self.cli(masters[0][1], "cluster", "keyslot", f"caller{id}")) for id in range(4)})
        for slot in slots * 2:
            owner = next(one for one in masters if self.owns(one[1], slot))
            target = masters[(masters.index(owner) + 1) % len(masters)]
            self.move(slot, owner, target)

    def owns(self, port, slot):
        return bool(self.cli(port, "cluster", "countkeysinslot", slot) != "0") and self.owner(slot) == port

    def owner(self, slot):
        for _, port, flags, ranges in self.table():
            for piece in ranges:
                if piece.startswith("["):
                    continue
                first, _, last = piece.partition("-")
                if int(first) <= slot <= int(last or first) and "master" in flags:
                    return port
        return None

    def move(self, slot, owner, target):
        (owner_id, owner_port), (target_id, target_port) = owner, target
        same("OK", self.cli(target_port, "cluster", "setslot", slot, "importing", owner_id))
        same("OK", self.cli(owner_port, "cluster", "setslot", slot, "migrating", target_id))
        while keys := self.cli(owner_port, "cluster", "getkeysinslot", slot, 10).split():
            answer = self.cli(owner_port, "migrate", "127.0.0.1", target_port, "", 0, 5000, "keys", *keys)
            expect(answer in ("OK", "NOKEY"), answer)
        for port in (target_port, owner_port, *self.alive()):
            if any(port == one for _, one in self.masters()):
                same("OK", self.cli(port, "cluster", "setslot", slot, "node", target_id))


def start(port, folder):
    command = ["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--cluster-enabled", "yes",
               "--cluster-node-timeout", str(NODE_TIMEOUT_MS), "--save", "", "--appendonly", "no", "--dir", str(folder),
               "--cluster-config-file", "nodes.conf", "--repl-diskless-sync-delay", "0"]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def free_ports(count):
    """Below 55536, since the bus of a node listens 10000 above its port."""
    found = []
    for port in range(21_000, 32_000, 7):
        with contextlib.ExitStack() as probes:
            try:
                for one in (port, port + 10_000):
                    probes.enter_context(socket.socket()).bind(("127.0.0.1", one))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("no free ports")


def healthy(nodes):
    """Whether all masters and replicas are there and know of each other."""
    for port in nodes:
        said = subprocess.run(["redis-cli", "-p", str(port), "cluster", "info"], capture_output=True, text=True, timeout=10).stdout
        links = subprocess.run(["redis-cli", "-p", str(port), "info", "replication"], capture_output=True, text=True, timeout=10).stdout
        if "cluster_state:ok" not in said or "cluster_known_nodes:6" not in said:
            return False
        if "role:slave" in links and "master_link_status:up" not in links:
            return False
        if "role:master" in links and "connected_slaves:1" not in links:
            return False
    return True


@contextlib.contextmanager
def cluster():
    folder = Path(tempfile.mkdtemp(prefix="polywire-cluster-"))
    nodes = {}
    try:
        for port in free_ports(6):
            (folder / str(port)).mkdir()
            nodes[port] = (start(port, folder / str(port)), folder / str(port))
        addresses = [f"127.0.0.1:{port}" for port in nodes]
        made = lambda: subprocess.run(
            ["redis-cli", "--cluster", "create", *addresses, "--cluster-replicas", "1", "--cluster-yes"],
            capture_output=True, text=True, timeout=60,
        ).returncode == 0
        expect(eventually(made, 30), "redis-cli did not make the cluster")
        expect(eventually(lambda: healthy(nodes), 30), "the cluster did not become whole")
        yield nodes
    finally:
        for process, _ in nodes.values():
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)
