"""libzmq, pyzmq and jeromq against our sockets: every pair of kinds, each side bound once, PLAIN, CURVE; REQ against serve."""

import queue
import subprocess
import sys
import threading
from pathlib import Path

from harness import Failed, expect, our_programs, ours, package, same
from harness.java import built
from harness.java import command as java

try:
    import zmq
except ImportError:  # then NEEDS says so
    zmq = None

HERE = Path(__file__).resolve().parent
LIBZMQ = HERE.parent / ".zeromq/puppet"


def puppet_of_libzmq():
    return None if LIBZMQ.is_file() else "the puppet of libzmq is not built (interop/install)"


NEEDS = [package("pyzmq", "27.3.0"), our_programs, puppet_of_libzmq, built]

# (asks, answers): the first sends first.
DUPLEX = [("REQ", "REP"), ("DEALER", "REP"), ("REQ", "ROUTER"), ("DEALER", "DEALER"), ("DEALER", "ROUTER"), ("PAIR", "PAIR")]
ONE_WAY = [("PUSH", "PULL"), ("PUB", "SUB"), ("XPUB", "SUB"), ("PUB", "XSUB"), ("XPUB", "XSUB")]
BODIES = [["68656c6c6f"], ["61", "-", "6263"], ["*255"], ["*256"], ["*70000"], ["61", "*1000000"]]


def run(suite):
    foreign = {
        "libzmq": [LIBZMQ],
        "pyzmq": [sys.executable, HERE / "puppet.py"],
        "jeromq": java("jeromq", "Puppet"),
    }
    us = [ours(suite, "zmq-socket")]
    for name, them in foreign.items():
        for binds in ("we bind", "they bind"):
            for first in ("we send first", "they send first"):
                pairs(suite, f"{name}, {binds}, {first}", us, them, binds, first)
        names(suite, name, us, them)
        security(suite, name, us, them)
    services(suite)


def pairs(suite, label, us, them, binds, first):
    for asks, answers in DUPLEX + ONE_WAY:
        with suite.check(f"{label}: {asks} and {answers}"):
            our_kind, their_kind = (asks, answers) if first == "we send first" else (answers, asks)
            with meeting(us, our_kind, them, their_kind, binds == "we bind") as (our, their):
                sender, receiver = (our, their) if first == "we send first" else (their, our)
                talk(asks, answers, sender, receiver)


class meeting:
    """Two puppets, one bound, the other connected."""

    def __init__(self, us, our_kind, them, their_kind, we_bind, our_settings=(), their_settings=()):
        one = (us, our_kind, our_settings)
        other = (them, their_kind, their_settings)
        bound, connected = (one, other) if we_bind else (other, one)
        self.bound = Puppet(bound[0], bound[1], "bind", "tcp://127.0.0.1:*", bound[2])
        self.connected = Puppet(connected[0], connected[1], "connect", self.bound.address, connected[2])
        self.pair = (self.bound, self.connected) if we_bind else (self.connected, self.bound)
        self.ours = self.pair[0]

    def __enter__(self):
        return self.pair

    def __exit__(self, _, failure, __):
        state = self.ours.state() if isinstance(failure, Failed) else None
        self.connected.end()
        self.bound.end()
        if state:
            raise Failed(f"{failure}; our {state}") from failure


def talk(asks, answers, sender, receiver):
    if answers in ("SUB", "XSUB"):
        return publish(asks, answers, sender, receiver)
    for frames in BODIES:
        # A DEALER puts the delimiter that a REP wants before its frames, and finds it before the answer.
        envelope = ["-"] if (asks, answers) == ("DEALER", "REP") else []
        sender.send(*envelope, *frames)
        got = receiver.recv()
        name = got[: 2 if asks == "REQ" else 1] if answers == "ROUTER" else []
        same(frames, got[len(name):], "what arrived")
        if asks == "PUSH":
            continue
        receiver.send(*name, "6f6b", *frames)
        same([*envelope, "6f6b", *frames], sender.recv(), "the answer")


def publish(asks, answers, sender, receiver):
    subscribe = receiver.subscribe if answers == "SUB" else (lambda topic: receiver.send("01" + topic))
    subscribe("746f706963")
    receiver.ask("recv")  # a SUB of libzmq that was connected to says what it wants only while it is asked for something
    if asks == "XPUB":
        same(["01746f706963"], sender.recv(), "the subscription")
    # Nothing tells a PUB that the subscription has come: it sends until it has.
    for _ in range(200):
        sender.send("6f74686572", "-")
        sender.send("746f70696331", "616263")
        if receiver.answered(0.05):
            break
    same(["746f70696331", "616263"], receiver.frames(), "what arrived")
    if asks == "XPUB":
        if answers == "SUB":
            receiver.unsubscribe("746f706963")
        else:
            receiver.send("00746f706963")
        same(["00746f706963"], sender.recv(), "the end of the subscription")


def names(suite, name, us, them):
    with suite.check(f"{name}: names reach a ROUTER, both ways"):
        for we_route in (True, False):
            router, dealer = ("ROUTER", "DEALER") if we_route else ("DEALER", "ROUTER")
            settings = {"their_settings" if we_route else "our_settings": ["identity=id1"]}
            with meeting(us, router, them, dealer, True, **settings) as (our, their):
                routes, named = (our, their) if we_route else (their, our)
                named.send("6869")
                same([b"id1".hex(), "6869"], routes.recv(), "with its name")
                routes.send(b"id1".hex(), "796f")
                same(["796f"], named.recv(), "by its name")
    with suite.check(f"{name}: heartbeats keep a quiet connection"):
        with meeting(us, "DEALER", them, "ROUTER", True, ["heartbeat=50"], ["heartbeat=50"]) as (our, their):
            our.send("61")
            got = their.recv()
            our.ask("recv")
            expect(not our.answered(0.5), "something came")
            their.send(got[0], "62")
            same(["62"], our.frames(), "after half a second")


def security(suite, name, us, them):
    server_public, server_secret = (key.decode() for key in zmq.curve_keypair())
    public, secret = (key.decode() for key in zmq.curve_keypair())
    client = f"curve-client={server_public},{public},{secret}"
    stranger = f"curve-client={public},{public},{secret}"
    server = f"curve-server={server_secret}"
    for we_serve in (True, False):
        side = "we are the server" if we_serve else "they are the server"
        for asks, answers in [("REQ", "REP"), ("PUSH", "PULL"), ("DEALER", "ROUTER"), ("XPUB", "SUB")]:
            with suite.check(f"{name}: CURVE, {side}: {asks} and {answers}"):
                settings = ([server], [client]) if we_serve else ([client], [server])
                with meeting(us, asks, them, answers, we_serve, *settings) as (our, their):
                    talk(asks, answers, our, their)
                with meeting(us, answers, them, asks, we_serve, *settings) as (our, their):
                    talk(asks, answers, their, our)
        with suite.check(f"{name}: CURVE, {side}: a wrong key gets nowhere"):
            settings = ([server], [stranger]) if we_serve else ([stranger], [server])
            nowhere(us, them, we_serve, settings)
    for we_serve in (True, False) if name == "pyzmq" else (True,):
        side = "we are the server" if we_serve else "they are the server"
        right, wrong, asked = "plain-client=user:pass", "plain-client=user:guess", "plain-server=user:pass"
        with suite.check(f"{name}: PLAIN, {side}"):
            settings = ([asked], [right]) if we_serve else ([right], [asked])
            with meeting(us, "REQ", them, "REP", we_serve, *settings) as (our, their):
                talk("REQ", "REP", our, their)
        with suite.check(f"{name}: PLAIN, {side}: a wrong password gets nowhere"):
            settings = ([asked], [wrong]) if we_serve else ([wrong], [asked])
            nowhere(us, them, we_serve, settings)


def nowhere(us, them, we_serve, settings):
    with meeting(us, "PULL" if we_serve else "PUSH", them, "PUSH" if we_serve else "PULL", we_serve, *settings) as (our, their):
        puller, pusher = (our, their) if we_serve else (their, our)
        pusher.ask("send 61")
        puller.ask("recv")
        expect(not puller.answered(0.5), "something came through")


def services(suite):
    """REQ sockets of pyzmq on the port of all protocols, and at a gateway in front of it."""
    with suite.serve() as server:
        requests(suite, server)
        for behind in ("grpc", "zmtp"):
            gateway = suite.gateway(f"{behind}://{server.address}", "--protocols", "zmtp,grpc")
            with suite.over(f"the gateway to {behind}"), gateway as running:
                requests(suite, running)
    with suite.serve() as server:
        with suite.check("polywire call and press speak it"):
            answer = suite.call(server.address, "zmtp", "example.EchoService/Echo", {"message": "over ZMTP"})
            expect("over ZMTP" in answer, f"it answered {answer!r}")
            result = suite.press(server.address, "zmtp", "example.EchoService/Echo", {"message": "x"}, "--concurrency", 20)
            same(0, result["errors"], "errors")


def requests(suite, server):
    context = zmq.Context()
    req = context.socket(zmq.REQ)
    req.rcvtimeo = 10_000
    req.linger = 0
    req.connect(f"tcp://{server.host}:{server.port}")
    with suite.check("pyzmq: a REQ calls a service on the shared port"):
        for n in range(20):
            req.send_multipart([b"example.EchoService/Echo", b'{"message":"%d"}' % n, b"json"])
            same([b"0", b'{"message":"%d"}' % n], req.recv_multipart())
    with suite.check("pyzmq: protobuf is the default"):
        req.send_multipart([b"example.EchoService/Echo", b"\x0a\x02hi"])
        same([b"0", b"\x0a\x02hi"], req.recv_multipart())
    with suite.check("pyzmq: failures have a code and a text"):
        req.send_multipart([b"example.EchoService/Nothing", b""])
        code, text = req.recv_multipart()
        same(b"12", code, text.decode())
    with suite.check("pyzmq: a DEALER has many calls under way"):
        dealer = context.socket(zmq.DEALER)
        dealer.rcvtimeo = 10_000
        dealer.linger = 0
        dealer.connect(f"tcp://{server.host}:{server.port}")
        for n in range(500):
            dealer.send_multipart([b"%d" % n, b"", b"example.EchoService/Echo", b"\x0a\x02hi"])
        got = sorted(int(dealer.recv_multipart()[0]) for _ in range(500))
        same(list(range(500)), got)
    context.destroy(linger=0)


class Puppet:
    """A process with one socket."""

    def __init__(self, command, kind, how, address, settings):
        arguments = [*map(str, command), kind, how, address, *settings]
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        self.lines = Lines(self.process.stdout)
        ready = self.lines.next(30)
        if ready is None or not ready.startswith("ready "):
            self.process.kill()
            raise Failed(f"{arguments[0]} said {ready!r}: {self.process.stderr.read()[-300:]}")
        self.address = ready.split()[1].replace("0.0.0.0", "127.0.0.1")

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answered(self, seconds):
        return self.lines.wait(seconds)

    def answer(self):
        line = self.lines.next(30)  # longer than any puppet waits for a message: then it says what it lacks
        if line is None or line.startswith("error"):
            raise Failed(f"the puppet said {line!r}")
        return line

    def frames(self):
        word, *frames = self.answer().split()
        same("frames", word)
        return frames

    def send(self, *frames):
        self.ask(" ".join(["send", *frames]))
        self.answer()

    def recv(self):
        self.ask("recv")
        return self.frames()

    def subscribe(self, topic):
        self.ask(f"subscribe {topic}")
        self.answer()

    def unsubscribe(self, topic):
        self.ask(f"unsubscribe {topic}")
        self.answer()

    def state(self):
        """How one of our sockets stands, unless it still waits for something."""
        try:
            self.ask("state")
        except OSError:  # it has ended
            return None
        while (line := self.lines.next(1)) is not None:
            if line.startswith("state "):
                return line
        return None

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(0.1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Lines:
    """Lines of a process, read by a thread of their own."""

    def __init__(self, stream):

        self.queue = queue.Queue()
        self.ahead = None
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            self.queue.put(line.strip())
        self.queue.put(None)

    def wait(self, seconds):

        if self.ahead is None:
            try:
                self.ahead = (self.queue.get(timeout=seconds),)
            except queue.Empty:
                return False
        return True

    def next(self, seconds):
        if not self.wait(seconds):
            return None
        (line,), self.ahead = self.ahead, None
        return line
