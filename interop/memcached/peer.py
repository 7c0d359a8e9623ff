"""memcached under our client, both protocols; foreign clients beside it; servers that are killed under load."""

import contextlib
import json
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from harness import eventually, expect, our_programs, ours, package, same, tool

NEEDS = [
    tool("memcached"),
    tool("saslpasswd2"),
    our_programs,
    package("pymemcache", "4.0.0"),
    package("python-binary-memcached", "0.33.0"),
]
PROTOCOLS = ["memcache", "memcache_meta"]
LOAD_S = 6


def run(suite):
    with memcached() as server:
        for protocol in PROTOCOLS:
            with suite.over(protocol):
                operations(suite, protocol, server.address)
                beside_others(suite, protocol, server)
                program(suite, protocol, server.address)
    credentials(suite)
    for protocol in PROTOCOLS:
        with suite.over(protocol):
            killed(suite, protocol)


class Memcached:
    """A server on a port that was free a moment ago: it cannot choose one itself."""

    def __init__(self, port=None, options=(), environment=None):
        if port is None:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
        self.port, self.address = port, f"127.0.0.1:{port}"
        user = ["-u", "root"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            ["memcached", "-l", "127.0.0.1", "-p", str(port), "-m", "64", *user, *options],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        expect(eventually(self._listens, 10), "memcached did not start")

    def _listens(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def kill(self):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def memcached(**how):
    server = Memcached(**how)
    try:
        yield server
    finally:
        server.kill()


def client(suite, *arguments):
    command = [str(ours(suite, "memcache-client")), *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    expect(ran.returncode == 0, f"memcache-client ended with {ran.returncode}: {ran.stderr[-500:]}")
    return ran.stdout


def operations(suite, protocol, address):
    lines = client(suite, "check", protocol, address).splitlines()
    for line in lines:
        verdict, _, name = line.partition(" ")
        with suite.check(name.split(": ")[0] if verdict == "FAIL" else name):
            expect(verdict == "ok", line)


def beside_others(suite, protocol, server):
    import bmemcached
    from pymemcache.client.base import Client

    text = Client(("127.0.0.1", server.port))
    binary = bmemcached.Client((server.address,))
    everything = bytes(range(256))
    with suite.check("pymemcache and python-binary-memcached read what we write"):
        client(suite, "write", protocol, server.address)
        for read in (text.get, lambda key: binary.get(key, get_cas=False)):
            same(b"42", as_bytes(read("ours:number")))
            same(b"", as_bytes(read("ours:empty")))
        same(b"written by polywire", text.get("ours:text"))
        same(everything, text.get("ours:bytes"))
    with suite.check("we read what pymemcache writes, flags and all"):
        text.set("theirs:text", b"by pymemcache", flags=77)
        text.set("theirs:number", b"7")
        text.incr("theirs:number", 3)
        text.set("theirs:bytes", everything)
        lines = client(suite, "read", protocol, server.address).splitlines()
        same("77 by pymemcache", lines[0])
        same("0 10", lines[1].strip())
        expect(lines[2].startswith(r"0 \x00\x01\x02") and lines[2].endswith(r"\xfe\xff"), lines[2])
    with suite.check("we read what python-binary-memcached writes"):
        binary.set("theirs:text", "by bmemcached")
        binary.delete("theirs:number")
        binary.set("theirs:bytes", everything)
        lines = client(suite, "read", protocol, server.address).splitlines()
        expect(lines[0].endswith("by bmemcached"), lines[0])
        same("none", lines[1])
        expect(r"\x00\x01\x02" in lines[2], lines[2])


def as_bytes(value):
    return value if isinstance(value, bytes) else str(value).encode()


def program(suite, protocol, address):
    with suite.check("polywire call: set, get, incr, what is missing"):
        same("done", suite.call(address, protocol, "set cli hello 60").strip())
        same("hello", suite.call(address, protocol, "get cli").strip())
        same("missing", suite.call(address, protocol, "get nothing").strip())
        failed = suite.polywire("call", "--server", address, "--protocol", protocol, "incr cli")
        same((1, "", "polywire: incr cli: the value is not a decimal number"), (failed.returncode, failed.stdout, failed.stderr.strip()))
    with suite.check("polywire press: gets without an error, 50 callers on one connection"):
        result = suite.press(address, protocol, "get cli", None, "--concurrency", 50)
        same(0, result["errors"], "errors")
        expect(result["calls"] > 1000, f"only {result['calls']} calls in two seconds")


def credentials(suite):
    with tempfile.TemporaryDirectory() as folder:
        database, file = Path(folder) / "sasldb2", Path(folder) / "auth"
        (Path(folder) / "memcached.conf").write_text(f"mech_list: plain\nsasldb_path: {database}\n")
        file.write_text("user:pass\n")
        subprocess.run(
            ["saslpasswd2", "-p", "-c", "-f", str(database), "-a", "memcached", "-u", "polywire", "user"],
            input=b"pass", check=True, timeout=30,
        )
        sasl = memcached(options=["-S"], environment={"SASL_CONF_PATH": folder})
        for protocol, user, server in [
            ("memcache", "user@polywire", sasl),
            ("memcache_meta", "user", memcached(options=["-Y", str(file)])),
        ]:
            with suite.over(protocol), server as server:
                with suite.check("a credential is shown before the first operation"):
                    same("ok", client(suite, "login", protocol, server.address, f"{user}:pass").strip())
                with suite.check("a wrong one fails the call with the server's words"):
                    said = client(suite, "login", protocol, server.address, f"{user}:wrong")
                    expect("refuses the credential" in said, said)


def killed(suite, protocol):
    servers = [Memcached() for _ in range(3)]
    try:
        addresses = "list://" + ",".join(server.address for server in servers)
        command = [str(ours(suite, "memcache-client")), "load", protocol, addresses, str(LOAD_S)]
        load = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2):
            time.sleep(LOAD_S / 6)
            servers[0].kill()
            time.sleep(LOAD_S / 6)
            servers[0] = Memcached(port=servers[0].port)
        said, errors = load.communicate(timeout=60)
        with suite.check("a server is killed and started again twice under load: no wrong value, no count too many, few calls fail"):
            expect(load.returncode == 0, errors[-500:])
            numbers = json.loads(said.splitlines()[-1])
            same((0, 0), (numbers["wrong"], numbers["twice"]), "wrong values and counts too many")
            expect(numbers["calls"] > 1000, said)
            # Those that were under way and may not be sent again: one for each caller and kill.
            expect(numbers["failed"] <= 2 * 16, said)
            expect(numbers["misses"] > 0, f"the server that was killed has lost nothing: {said}")
    finally:
        for server in servers:
            server.kill()
