"""What only an etcd does: revisions that are compacted, leases; changes, kill -9, SIGSTOP, and the loss of all data."""

import json
import signal
import time

from harness import eventually, expect, ours
from parts import QUIET_S, SEEN_S, Etcd, Lines


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
