"""The registries, as processes on ports of their own, and programs of ours that print lines."""

import base64
import contextlib
import http.client
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

from harness import GO_PROGRAMS, eventually, expect, same

# What a change may take: the pause of a source grows while its registry is away.
SEEN_S = 20
# Longer than a set takes that should not come.
QUIET_S = 2


class Lines:
    """A program of ours, line by line."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines, self.seen = queue.Queue(), []
        threading.Thread(target=lambda: [self.lines.put(line.rstrip()) for line in self.process.stdout], daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Its standard input ends, which it is to follow."""
        self.process.stdin.close()

    def listening(self):
        return self.lines.get(timeout=SEEN_S).removeprefix("listening on ")

    def expect(self, line, within_s=SEEN_S):
        """Waits for a line; others may come before it, which `seen` has. `called` has figures behind it."""
        began, end = len(self.seen), time.monotonic() + within_s
        while True:
            try:
                found = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                same(line, self.seen[began:][-3:], f"lines within {within_s} s")
                return
            self.seen.append(found)
            if found == line or (line == "called" and found.startswith("called ")):
                return

    def expect_error(self):
        found = self.lines.get(timeout=SEEN_S)
        expect(found.startswith("error "), f"no failure was told, but {found!r}")

    def expect_no_set(self):
        end = time.monotonic() + QUIET_S
        with contextlib.suppress(queue.Empty):
            while True:
                found = self.lines.get(timeout=max(0.0, end - time.monotonic()))
                expect(not found.startswith("set"), f"another set: {found!r}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def get(url, **more):
    """The body of an answer; what is no answer of 2xx is an OSError."""
    with urllib.request.urlopen(urllib.request.Request(url, **more), timeout=5) as answer:
        return answer.read().decode()


def encoded(parameters):
    """The parameters of a url; a space is %20."""
    return urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote)


class Part:
    """A registry, which is started, killed and stopped."""

    # How much later than another process one may see a change, where it is asked for and not told.
    polled_s = 0
    # How long it may take to start.
    start_s = SEEN_S

    def __init__(self, name):
        self.name = name
        self.folder = tempfile.mkdtemp(prefix=f"polywire-{name}-")
        self.log = Path(self.folder, "log")
        self.process = None
        self.environment = {}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process:
            self.resume()
            self.kill()
        self.forget()

    def start(self):
        Path(self.folder).mkdir(exist_ok=True)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, env={**os.environ, **self.environment}
            )
        if not eventually(self._is_up, self.start_s):
            said = self.log.read_text(errors="replace")[-2000:]
            expect(False, f"{self.name} does not start; exit code {self.process.poll()}, it printed: {said}")

    def _is_up(self):
        with contextlib.suppress(OSError, ValueError, KeyError, http.client.HTTPException):
            return self.is_up()
        return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def forget(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)


class Etcd(Part):
    """An etcd of one member, with its JSON gateway."""

    def __init__(self):
        super().__init__("etcd")
        self.client, self.peer = free_port(), free_port()

    def command(self):
        client, peer = f"http://127.0.0.1:{self.client}", f"http://127.0.0.1:{self.peer}"
        return ["etcd", "--data-dir", self.folder, "--listen-client-urls", client, "--advertise-client-urls", client,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}",
                "--heartbeat-interval", "10", "--election-timeout", "100"]

    def is_up(self):
        return json.loads(get(f"http://127.0.0.1:{self.client}/health"))["health"] == "true"

    def url(self, path="/echo"):
        return f"etcd://127.0.0.1:{self.client}{path}"

    def call(self, what, **message):
        request = urllib.request.Request(f"http://127.0.0.1:{self.client}/v3/{what}", json.dumps(message).encode())
        with urllib.request.urlopen(request, timeout=SEEN_S) as answer:
            return json.load(answer)

    def put(self, key, value):
        return self.call("kv/put", key=text(key), value=text(value))

    def delete(self, key):
        return self.call("kv/deleterange", key=text(key))

    def has(self, key):
        return int(self.call("kv/range", key=text(key)).get("count", 0)) == 1

    def announces(self, address):
        return self.has(f"echo/{address}")


class Consul(Part):
    """An agent of Consul, which is its own server, and has no memory but its process."""

    def __init__(self):
        super().__init__("consul")
        self.http, *self.others = (free_port() for _ in range(6))

    def command(self):
        _dns, grpc, server, lan, wan = map(str, self.others)
        return [str(GO_PROGRAMS / "consul"), "agent", "-dev", "-bind", "127.0.0.1", "-client", "127.0.0.1", "-http-port", str(self.http),
                "-dns-port", "-1", "-grpc-port", grpc, "-server-port", server, "-serf-lan-port", lan, "-serf-wan-port", wan,
                "-log-level", "err"]

    def is_up(self):
        return ":" in get(f"http://127.0.0.1:{self.http}/v1/status/leader")

    def url(self):
        return f"consul://127.0.0.1:{self.http}/echo"

    def announces(self, address):
        found = json.loads(get(f"http://127.0.0.1:{self.http}/v1/health/service/echo?passing"))
        return address in [f"{entry['Service']['Address']}:{entry['Service']['Port']}" for entry in found]


class ZooKeeper(Part):
    """A ZooKeeper of one member."""

    def __init__(self):
        super().__init__("zookeeper")
        self.port = free_port()

    def command(self):
        # Sessions take 2 to 20 ticks, so those of ten seconds take four.
        lines = ["tickTime=200", f"dataDir={self.folder}/data", f"clientPort={self.port}", "clientPortAddress=127.0.0.1",
                 "admin.enableServer=false", "4lw.commands.whitelist=srvr"]
        Path(self.folder, "zoo.cfg").write_text("\n".join(lines) + "\n")
        # The first names what it needs. One place for what is logged: of two, the order in the folder would choose.
        jars = ":".join(f"/usr/share/java/{jar}.jar" for jar in ("zookeeper", "slf4j-simple"))
        return ["java", "-Xmx96m", "-cp", jars, "org.apache.zookeeper.server.quorum.QuorumPeerMain", f"{self.folder}/zoo.cfg"]

    def is_up(self):
        with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
            connection.settimeout(1)
            connection.sendall(b"srvr")
            return b"Mode:" in b"".join(iter(lambda: connection.recv(4096), b""))

    def url(self):
        return f"zookeeper://127.0.0.1:{self.port}/services/echo"


class Nacos(Part):
    """An rnacos, which speaks Nacos' interface; `user` is the name and password that it asks for."""

    polled_s = 13

    def __init__(self, user=None, token_s=3600):
        super().__init__("rnacos")
        self.http, grpc = free_port(), free_port()
        self.environment = {
            "RUST_LOG": "error", "RNACOS_SDK_HOST": "127.0.0.1", "RNACOS_HTTP_PORT": str(self.http), "RNACOS_GRPC_PORT": str(grpc),
            "RNACOS_HTTP_CONSOLE_PORT": "0", "RNACOS_DATA_DIR": f"{self.folder}/data",
        }
        self.user = user
        if user:
            self.environment |= {
                "RNACOS_ENABLE_OPEN_API_AUTH": "true", "RNACOS_INIT_ADMIN_USERNAME": user[0], "RNACOS_INIT_ADMIN_PASSWORD": user[1],
                "RNACOS_API_LOGIN_TIMEOUT": str(token_s), "RNACOS_API_LOGIN_ONE_MINUTE_LIMIT": "100000",
            }

    def command(self):
        return ["rnacos"]

    def is_up(self):
        return self.instances("none") == []

    def url(self, **more):
        return f"nacos://127.0.0.1:{self.http}/?{encoded({'serviceName': 'echo', **more})}"

    def ask(self, verb, path, **parameters):
        """A request of Nacos' HTTP interface, as anybody would send it."""
        if self.user:
            login = encoded(dict(zip(("username", "password"), self.user))).encode()
            parameters["accessToken"] = json.loads(get(f"http://127.0.0.1:{self.http}/nacos/v1/auth/login", data=login))["accessToken"]
        return get(f"http://127.0.0.1:{self.http}/nacos/v1/ns/{path}?{encoded(parameters)}", method=verb)

    def instances(self, service="echo", **parameters):
        """What Nacos' clients are told."""
        return json.loads(self.ask("GET", "instance/list", serviceName=service, **parameters))["hosts"]

    def instance(self, verb, address, **parameters):
        """Puts an instance there, changes it or takes it away, as a console does."""
        ip, port = address.rsplit(":", 1)
        self.ask(verb, "instance", **{"serviceName": "echo", "ip": ip, "port": port, **parameters})


class Knot(Part):
    """A DNS server with a zone of one service."""

    def __init__(self):
        super().__init__("knot")
        self.port = free_port()
        self.serial = 1
        self.ports = []

    def command(self):
        self._write()
        Path(self.folder, "knot.conf").write_text(
            f"server:\n  rundir: {self.folder}\n  listen: 127.0.0.1@{self.port}\n"
            f"database:\n  storage: {self.folder}\n"
            f"zone:\n  - domain: svc.test\n    storage: {self.folder}\n    file: zone\n"
            "    zonefile-sync: -1\n    zonefile-load: whole\n    journal-content: none\n"
        )
        return ["knotd", "-c", f"{self.folder}/knot.conf"]

    def is_up(self):
        # An answer over TCP to a question for the zone's SOA.
        question = bytes.fromhex("000100000001000000000000") + b"\x03svc\x04test\x00" + bytes.fromhex("00060001")
        with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
            connection.settimeout(1)
            connection.sendall(len(question).to_bytes(2, "big") + question)
            return len(connection.recv(64)) > 2

    def serve(self, *addresses):
        """These are the servers now."""
        self.ports = [address.rsplit(":", 1)[1] for address in addresses]
        self.serial += 1
        self._write()
        subprocess.run(
            ["knotc", "-s", f"{self.folder}/knot.sock", "zone-reload", "svc.test"], check=True, capture_output=True, timeout=SEEN_S
        )

    def _write(self):
        head = f"$ORIGIN svc.test.\n$TTL 1\n@ SOA ns mail {self.serial} 60 60 60 1\n@ NS ns\nns A 127.0.0.1\nhost A 127.0.0.1\n"
        services = [f"_grpc._tcp.echo SRV 0 2 {port} host\n" for port in self.ports]
        Path(self.folder, "zone").write_text(head + "".join(services))

    def url(self):
        return f"dns://127.0.0.1:{self.port}/_grpc._tcp.echo.svc.test"


def text(plain):
    return base64.b64encode(plain.encode()).decode()
