"""What holds for every registry: servers that are called while it is killed, started again, stopped and emptied."""

import contextlib
import time

from harness import eventually, expect, ours
from parts import QUIET_S, SEEN_S, Lines


def run(suite, part, read_anew_s=SEEN_S):
    """Servers of ours announce themselves to `part`, and are called by what it says."""
    program, url, name = ours(suite, "registry"), part.url(), part.name
    serve = lambda: Lines(program, "serve", url)
    with part, serve() as one, serve() as two, Lines(program, "watch", url) as watch, contextlib.ExitStack() as later:
        first, second = one.listening(), two.listening()
        with suite.check(f"{name}: two servers are announced, found and called"):
            watch.expect(servers(first, second))
            caller = later.enter_context(Lines(program, "call", url))
            caller.expect("calling")
        with suite.check(f"{name}: kill -9 leaves the set, and it has all of it again after its restart"):
            part.kill()
            watch.expect_error()
            watch.expect_no_set()
            part.start()
            with serve() as three:
                third = three.listening()
                watch.expect(servers(first, second, third))
                three.end()
                three.expect("stopped")
                watch.expect(servers(first, second))
                time.sleep(part.polled_s)
        with suite.check(f"{name}: one that has lost its data is told again, and read anew"):
            part.kill()
            part.forget()
            part.start()
            with serve() as four:
                fourth = four.listening()
                watch.expect(servers(first, second, fourth), read_anew_s)
                four.end()
                four.expect("stopped")
                watch.expect(servers(first, second))
                time.sleep(part.polled_s)
        with suite.check(f"{name}: SIGSTOP leaves the set, and what changes afterwards is seen"):
            part.pause()
            watch.expect_no_set()
            part.resume()
            two.end()
            two.expect("stopped")
            watch.expect(servers(first))
        all_calls_succeeded(suite, name, caller)
        # Calls that are under way at a server which is killed may fail: that is no matter of its registry.
        with suite.check(f"{name}: a server that is killed disappears"):
            with serve() as five:
                fifth = five.listening()
                watch.expect(servers(first, fifth))
                five.process.kill()
                watch.expect(servers(first), within_s=60)


def by_hand(suite, dns):
    """A DNS server: its zone is edited, and nobody announces himself."""
    program, url, name = ours(suite, "registry"), dns.url(), dns.name
    serve = lambda: Lines(program, "serve", url)
    with dns, serve() as one, serve() as two:
        first, second = one.listening(), two.listening()
        dns.serve(first, second)
        with Lines(program, "watch", url) as watch, contextlib.ExitStack() as later:
            with suite.check(f"{name}: the targets of SRV records are found and called"):
                watch.expect(servers(first, second))
                caller = later.enter_context(Lines(program, "call", url))
                caller.expect("calling")
            with suite.check(f"{name}: kill -9 leaves the set, and a change after its restart is seen"):
                dns.kill()
                watch.expect_error()
                watch.expect_no_set()
                dns.start()
                dns.serve(first)
                watch.expect(servers(first))
            with suite.check(f"{name}: SIGSTOP leaves the set, and what changes afterwards is seen"):
                dns.pause()
                watch.expect_no_set()
                dns.resume()
                dns.serve(first, second)
                watch.expect(servers(first, second))
            with suite.check(f"{name}: a zone without the service leaves the set"):
                dns.serve()
                watch.expect_error()
                watch.expect_no_set()
                dns.serve(second)
                watch.expect(servers(second))
            all_calls_succeeded(suite, name, caller)


def all_calls_succeeded(suite, name, caller):
    with suite.check(f"{name}: no call has failed meanwhile"):
        time.sleep(0.2)
        caller.end()
        seen = []
        with contextlib.suppress(Exception):
            while not seen or not seen[-1].startswith("called"):
                seen.append(caller.lines.get(timeout=SEEN_S))
        words = seen[-1].split() if seen else []
        expect(words[:1] == ["called"] and words[2:] == ["failed", "0"] and int(words[1]) > 200, f"it said {seen[-6:]}")


def servers(*addresses):
    """The line of `registry watch`; servers announce themselves with a weight of 2."""
    return "set " + " ".join(f"{address}*2" for address in sorted(addresses))
