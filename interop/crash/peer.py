"""`kill -9` of the server under load, and its return: no call hangs, each is counted once, the client recovers."""

import json
import re
import subprocess
import time
import urllib.request

from harness import Raw, eventually, expect, same

NEEDS = []
DURATION_S = 8
UP_S = 2
DOWN_S = 2
# What a call may take at most: the program's own deadline and some breath for a busy machine.
DEADLINE_S = 5
LOADS = {
    "closed loop, one connection": ["--concurrency", "50", "--connections", "1"],
    "closed loop, a connection per caller": ["--concurrency", "20", "--connections", "20"],
    "open loop": ["--concurrency", "20", "--connections", "2", "--qps", "2000"],
}
PROTOCOLS = {
    "baidu_std": ("example.EchoService/Echo", {"message": "x" * 100}),
    "http": ("example.EchoService/Echo", {"message": "x" * 100}),
    "redis": ("SET key value", None),
}


def run(suite):
    for name, load in LOADS.items():
        crash(suite, f"baidu_std, {name}", "baidu_std", load)
    for protocol in ("http", "redis"):
        crash(suite, protocol, protocol, LOADS["closed loop, a connection per caller"])
    with suite.check("a call to nobody ends at once, with a clear message and a code for scripts"):
        server = suite.start()
        server.kill()
        began = time.monotonic()
        method, message = PROTOCOLS["baidu_std"]
        ran = suite.polywire("call", "--server", server.address, "--protocol", "baidu_std", method, "-d", json.dumps(message))
        expect(time.monotonic() - began < DEADLINE_S, "it took too long")
        same(1, ran.returncode, "exit code")
        expect("refused" in ran.stderr.lower() and server.address in ran.stderr, f"it said: {ran.stderr!r}")


def crash(suite, name, protocol, load):
    """Kills the server two seconds into the load and starts another one, at the same address, two seconds later."""
    method, message = PROTOCOLS[protocol]
    first = suite.start()
    body = [] if message is None else ["--input", json.dumps(message)]
    press = subprocess.Popen(
        [suite.program, "press", "--server", first.address, "--protocol", protocol, "--method", method, *body,
         "--duration", str(DURATION_S), "--json", *load],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    began = time.monotonic()
    time.sleep(UP_S)
    before = served(first, protocol)
    first.kill()
    time.sleep(DOWN_S)
    second = suite.start(first.address)
    try:
        try:
            printed, said = press.communicate(timeout=DURATION_S + DEADLINE_S)
        except subprocess.TimeoutExpired:
            press.kill()
            press.communicate()
            suite.record(f"{name}: every call ends", f"press still ran {DEADLINE_S} s after its time: calls hang")
            return
        took = time.monotonic() - began
        if not printed:
            suite.record(f"{name}: press reports and ends in time", f"it reported nothing and said: {said}")
            return
        with suite.check(f"{name}: press reports and ends in time"):
            result = json.loads(printed)
            expect(took < DURATION_S + DEADLINE_S, f"it took {took:.1f} s")
        with suite.check(f"{name}: calls were served before, failed meanwhile with a status, and were served again"):
            expect(before, "the first server saw no call")
            expect(result["errors"] > 0, "no call failed while there was no server")
            expect(served(second, protocol), "the second server saw no call: the client did not recover")
        with suite.check(f"{name}: each call ended once, with a status"):
            same(result["calls"], sum(result["status"].values()), f"sum of statuses {result['status']}")
            good = result["calls"] - result["errors"]
            expect(good > 0, "no call succeeded")
        with suite.check(f"{name}: no call outlived its deadline"):
            longest = max(result["max_us"], result["longest_failure_us"])  # the first counts calls that succeeded
            expect(result["longest_failure_us"] > 0, "calls failed, and took no time")
            expect(longest <= DEADLINE_S * 1_000_000, f"the longest call took {longest} us")
    finally:
        press.kill()
        press.wait()
        second.stop()


def served(server, protocol):
    """Whether a call of the load reached this server: its /status page counts them; Redis leaves a key behind."""
    if protocol == "redis":
        return eventually(lambda: key_is_there(server))
    return eventually(lambda: calls_counted(server) > 0)


def calls_counted(server):
    with urllib.request.urlopen(f"http://{server.address}/status", timeout=5) as page:
        return sum(int(n) for n in re.findall(r"^\s*count: (\d+)", page.read().decode(), re.MULTILINE))


def key_is_there(server):
    with Raw(server) as raw:
        return raw.send(b"EXISTS key\r\n").read_some() == b":1\r\n"
