"""redis-cli and redis-benchmark against our server, and our client against redis-server (Debian's 7.0)."""

import contextlib
import re
import socket
import subprocess

from harness import Raw, eventually, expect, same, tool

NEEDS = [tool("redis-cli"), tool("redis-benchmark"), tool("redis-server")]
REQUESTS = 20_000


def run(suite):
    with suite.serve() as server:
        Cli(suite, server).run()
        benchmark(suite, server)
    with redis_server() as (host, port):
        our_client(suite, f"{host}:{port}")


class Cli:
    """redis-cli, one command per run unless its standard input says more."""

    def __init__(self, suite, server):
        self.suite = suite
        self.base = ["redis-cli", "-h", server.host, "-p", str(server.port)]

    def __call__(self, *arguments, standard_input=None):
        ran = subprocess.run([*self.base, *arguments], input=standard_input, capture_output=True, text=True, timeout=30)
        return (ran.stdout + ran.stderr).strip()

    def run(self):
        check = self.suite.check
        with check("redis-cli: PING, SET, GET"):
            same("PONG", self("PING"))
            same("OK", self("SET", "cli", "a value"))
            same('"a value"', self("--no-raw", "GET", "cli"))
            same("(nil)", self("--no-raw", "GET", "nothing"))
        with check("redis-cli -3: greets in RESP3 and goes on"):
            same('"a value"', self("-3", "--no-raw", "GET", "cli"))
            same("(nil)", self("-3", "--no-raw", "GET", "nothing"))
        with check("redis-cli: integers, lists, errors as they print"):
            same("(integer) 1", self("--no-raw", "INCR", "cli:n"))
            same("(integer) 2", self("--no-raw", "RPUSH", "cli:l", "one", "two"))
            same('1) "one"\n2) "two"', self("--no-raw", "LRANGE", "cli:l", "0", "-1"))
            expect(self("NOSUCH", "x").startswith("ERR unknown command 'NOSUCH', with args beginning with: 'x'"), self("NOSUCH", "x"))
            same("ERR wrong number of arguments for 'get' command", self("GET"))
        with check("redis-cli: a transaction typed line by line"):
            same("OK\nQUEUED\nQUEUED\nOK\n7", self(standard_input="MULTI\nSET cli:t 6\nINCR cli:t\nEXEC\n"))
        with check("redis-cli --pipe: 10000 commands in one go"):
            commands = "".join(f"*3\r\n$3\r\nSET\r\n${len(k)}\r\n{k}\r\n$1\r\nv\r\n" for k in map("pipe{}".format, range(10_000)))
            said = self("--pipe", standard_input=commands)
            expect("errors: 0, replies: 10000" in said, said)
        with check("redis-cli INFO and COMMAND"):
            expect("redis_version:" in self("INFO"), "no redis_version in INFO")
            self("COMMAND")
        with check("inline commands, quoted and bare, as typed into a socket"):
            with Raw(self.suite_server()) as raw:
                raw.send(b'PING\r\nSET inline "two words"\nGET inline\r\n\r\nQUIT\r\n')
                same(b"+PONG\r\n+OK\r\n$9\r\ntwo words\r\n+OK\r\n", raw.read_to_end())
                expect(raw.closed, "QUIT did not close the connection")

    def suite_server(self):
        return type("Address", (), {"host": self.base[2], "port": int(self.base[4])})


def benchmark(suite, server):
    for depth in (1, 16):
        with suite.check(f"redis-benchmark -t ping,set,get,incr,lpush -P {depth}"):
            command = ["redis-benchmark", "-h", server.host, "-p", str(server.port), "-t", "ping,set,get,incr,lpush", "--csv"]
            ran = subprocess.run(
                [*command, "-n", str(REQUESTS), "-c", "50", "-P", str(depth)], capture_output=True, text=True, timeout=120
            )
            expect(ran.returncode == 0, f"it ended with {ran.returncode}: {ran.stdout[-300:]} {ran.stderr[-300:]}")
            rates = dict(re.findall(r'^"([A-Z_]+)[^"]*","([\d.]+)"', ran.stdout, re.MULTILINE))
            same({"PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "LPUSH"}, set(rates), "tests that ran")
            expect(all(float(rate) > 0 for rate in rates.values()), ran.stdout)


@contextlib.contextmanager
def redis_server():
    """The real thing, on a port that was free a moment ago: it cannot choose one itself."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        host, port = probe.getsockname()
    command = ["redis-server", "--bind", host, "--port", str(port), "--save", "", "--appendonly", "no"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        expect(eventually(lambda: answers(host, port), 10), "redis-server did not start")
        yield host, port
    finally:
        process.kill()
        process.wait()


def answers(host, port):
    try:
        with socket.create_connection((host, port), timeout=1) as probe:
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def our_client(suite, address):
    with suite.check("polywire call: SET and GET on redis-server"):
        same("OK", suite.call(address, "redis", "SET ours 'a value'").strip())
        same('"a value"', suite.call(address, "redis", "GET ours").strip())
        same("(nil)", suite.call(address, "redis", "GET nothing").strip())
    with suite.check("polywire call: redis-server's error text arrives, with exit code 1"):
        ran = suite.polywire("call", "--server", address, "--protocol", "redis", "GET")
        expect("wrong number of arguments" in ran.stdout + ran.stderr, f"{ran.stdout} {ran.stderr}")
        same(1, ran.returncode, "exit code")
    with suite.check("polywire press: GET on redis-server without an error, 50 callers on one connection"):
        result = suite.press(address, "redis", "GET ours", None, "--concurrency", 50)
        same(0, result["errors"], "errors")
        expect(result["calls"] > 1000, f"only {result['calls']} calls in two seconds")
