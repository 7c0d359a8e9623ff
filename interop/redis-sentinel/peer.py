"""Our channel, sessions and subscriber behind three sentinels, two redis-server processes: masters that end, stop and come back, under load."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from harness import eventually, expect, our_programs, ours, same, tool
from harness.redis_servers import flush, under_load

NEEDS = [tool("redis-cli"), tool("redis-server"), our_programs]
NAME = "orders"
CALLERS = 8
# A master that does not answer for so long is taken to have failed.
DOWN_AFTER_MS = 500


def run(suite):
    with pair() as redis:
        with suite.check("the master that the sentinels name is called; sessions, BLPOP and a subscriber beside"):
            result = load(suite, redis, lambda: time.sleep(1))
            undisturbed(result)
            expect(result["conflicts"] > 0 and result["swaps"] > 0, f"no two sessions met: {result}")
        with suite.check("the sentinel that is asked is killed under load: nothing fails"):
            undisturbed(load(suite, redis, lambda: (redis.kill(redis.sentinels[0]), time.sleep(3))))
        with suite.check("SENTINEL FAILOVER under load: calls follow the master, and the subscriber shows the gap"):
            sound(load(suite, redis, redis.plan_fail_over))
        with suite.check("the master is killed under load: its replica takes over, and nothing is done twice"):
            redis.start(redis.sentinels[0])
            sound(load(suite, redis, redis.fail_over))
        with suite.check("the killed master comes back under load, as a master: nobody calls it"):
            undisturbed(load(suite, redis, lambda: (redis.bring_back(), time.sleep(1)), whole=False))
        with suite.check("the master stands still under load and continues: its replica takes over, and nobody comes back"):
            sound(load(suite, redis, redis.suspend))


def sound(result):
    """What holds when a master is replaced. redis-server acknowledges before its replica has what was written, so a little can be lost."""
    same((0, 0), (result["wrong"], result["unexplained"]), f"done twice, and messages that are missing; the program said {result['said'][:2000]}")
    expect(result["acknowledged"] > 100 and result["messages"] > 100, f"{result}")
    expect(result["lost"] <= 12 * CALLERS, f"{result['lost']} increments were lost")
    expect(result["longest_ms"] < 15_000, f"nothing was written for {result['longest_ms']} ms")
    expect(result["gaps"] >= 1, f"the subscriber showed no gap: {result}")
    expect(result["swaps"] - 24 <= result["stock"] <= result["swaps"] + result["unknown"], f"swaps and stock: {result}")


def undisturbed(result):
    same(
        (0, 0, 0, 0, 0, 0, 0),
        tuple(result[name] for name in ("wrong", "lost", "failed", "unknown", "disorder", "gaps", "unexplained")),
        f"faults; the program said {result['said'][:2000]}",
    )
    expect(result["acknowledged"] > 100 and result["messages"] > 100 and result["popped"] > 10, f"{result}")
    same(result["swaps"], result["stock"], "increments by WATCH and EXEC")
    same(result["pushed"], result["popped"] + result["left"], "items that were pushed")


def load(suite, redis, meanwhile, whole=True):
    """What the program of interop/rust says after `meanwhile`. `whole`: master and replica are there when it begins."""
    if whole:
        expect(eventually(redis.whole, 60), "the sentinels do not see a master with its replica")
        flush(redis.master())
    else:
        same("OK", redis.cli(redis.master(), "flushall"))
    sentinels = ",".join(f"127.0.0.1:{port}" for port in redis.sentinels)
    program = [str(ours(suite, "redis-sentinel")), NAME, sentinels, str(CALLERS), "10000"]

    def between_pauses():
        time.sleep(0.3)
        meanwhile()
        time.sleep(0.5)

    return under_load(program, between_pauses)


class Pair:
    def __init__(self, folder, ports):
        self.folder = folder
        self.servers, self.sentinels = ports[:2], ports[2:]
        self.processes = {}
        for port in ports:
            (folder / str(port)).mkdir()
        for at, port in enumerate(self.servers):
            master = [] if at == 0 else ["--replicaof", "127.0.0.1", str(self.servers[0])]
            self.start(port, *master)
        for port in self.sentinels:
            (folder / str(port) / "sentinel.conf").write_text(
                f"port {port}\nbind 127.0.0.1\n"
                f"sentinel monitor {NAME} 127.0.0.1 {self.servers[0]} 2\n"
                f"sentinel down-after-milliseconds {NAME} {DOWN_AFTER_MS}\n"
                f"sentinel failover-timeout {NAME} 2000\n"
            )
            self.start(port)

    def start(self, port, *options):
        folder = self.folder / str(port)
        if port in self.sentinels:
            command = ["redis-server", str(folder / "sentinel.conf"), "--sentinel", "--dir", str(folder)]
        else:
            command = ["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no",
                       "--dir", str(folder), "--repl-diskless-sync-delay", "0", *options]
        quiet = subprocess.DEVNULL
        self.processes[port] = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)

    def kill(self, port):
        self.processes[port].kill()
        self.processes[port].wait()

    def alive(self, port):
        return self.processes[port].poll() is None

    def cli(self, port, *words):
        command = ["redis-cli", "-h", "127.0.0.1", "-p", str(port), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=30).stdout.strip()

    def named(self):
        """The masters that the sentinels name, which are one unless they disagree."""
        sentinels = [port for port in self.sentinels if self.alive(port)]
        return {int((self.cli(port, "sentinel", "get-master-addr-by-name", NAME).split() or ["", "0"])[1]) for port in sentinels}

    def master(self):
        named = self.named()
        expect(len(named) == 1, f"the sentinels name {named}")
        return named.pop()

    def whole(self):
        """Whether the sentinels agree, see each other, and could replace the master by the replica."""
        named = self.named()
        if len(named) != 1:
            return False
        master = named.pop()
        replica = next(port for port in self.servers if port != master)
        if "master_link_status:up" not in self.cli(replica, "info", "replication"):
            return False
        if "role:master" not in self.cli(master, "info", "replication"):
            return False
        for port in self.sentinels:
            if not self.alive(port):
                continue
            replicas = self.cli(port, "sentinel", "replicas", NAME).split("\n")
            fields = dict(zip(replicas[::2], replicas[1::2]))
            if fields.get("flags") != "slave" or fields.get("master-link-status") != "ok":
                return False
            if not self.cli(port, "sentinel", "ckquorum", NAME).startswith("OK"):
                return False
        return True

    def await_other(self, master):
        """Waits until all sentinels name another master than this one, which is one."""
        def other():
            named = self.named()
            return len(named) == 1 and master not in named and "role:master" in self.cli(next(iter(named)), "info", "replication")
        expect(eventually(other, 30), "nobody has taken over")
        time.sleep(2)

    def plan_fail_over(self):
        master = self.master()
        # A master that is replaced while it runs goes on taking writes, unless it needs its replica for that.
        same("OK", self.cli(master, "config", "set", "min-replicas-to-write", "1"))
        # It is refused as long as the last one is too fresh.
        sentinel = self.sentinels[-1]
        expect(eventually(lambda: self.cli(sentinel, "sentinel", "failover", NAME) == "OK", 20), "the sentinel refuses")
        self.await_other(master)
        same("OK", self.cli(master, "config", "set", "min-replicas-to-write", "0"))

    def fail_over(self):
        master = self.master()
        self.kill(master)
        self.await_other(master)

    def bring_back(self):
        gone = next(port for port in self.servers if not self.alive(port))
        self.start(gone)
        # It starts as a master, until the sentinels tell it otherwise.
        expect(eventually(lambda: "role:master" in self.cli(gone, "info", "replication"), 10), "it did not begin as a master")
        expect(eventually(self.whole, 60), "the sentinels did not make it a replica")

    def suspend(self):
        master = self.master()
        os.kill(self.processes[master].pid, signal.SIGSTOP)
        try:
            expect(eventually(lambda: master not in self.named(), 30), "nobody has taken over")
            time.sleep(1)
        finally:
            os.kill(self.processes[master].pid, signal.SIGCONT)
        time.sleep(2)


def free_ports(count):
    with contextlib.ExitStack() as probes:
        found = []
        for _ in range(count):
            probe = probes.enter_context(socket.socket())
            probe.bind(("127.0.0.1", 0))
            found.append(probe.getsockname()[1])
        return found


@contextlib.contextmanager
def pair():
    folder = Path(tempfile.mkdtemp(prefix="polywire-sentinel-"))
    redis = Pair(folder, free_ports(5))
    try:
        yield redis
    finally:
        for port, process in redis.processes.items():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGCONT)
            redis.kill(port)
        shutil.rmtree(folder, ignore_errors=True)
