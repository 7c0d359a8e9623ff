"""grpcurl 1.9.4 and ghz 0.120.0: reflection, a call of each kind, the standard services, load."""

import json
import subprocess

from harness import GO_PROGRAMS, expect, go_tool, same

NEEDS = [go_tool("grpcurl"), go_tool("ghz")]
STREAMS = "example.StreamService"
GREETER = "helloworld.Greeter"


class Grpcurl:
    def __init__(self, server):
        self.server = server

    def run(self, *arguments, data=None):
        """Runs grpcurl; `data` are messages to send. Hands back code, output and errors."""
        given = ["-d", "\n".join(json.dumps(message) for message in data)] if data is not None else []
        # Options stand before the address.
        options, words = [], list(arguments)
        while words and words[0].startswith("-"):
            options += [words.pop(0), words.pop(0)]
        command = [GO_PROGRAMS / "grpcurl", "-plaintext", *options, *given, self.server.address, *words]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=30)
        return ran.returncode, ran.stdout, ran.stderr

    def say(self, *arguments, data=None):
        code, said, errors = self.run(*arguments, data=data)
        expect(code == 0, f"grpcurl ended with {code}: {errors[-300:]}")
        return said

    def call(self, method, *data):
        return values(self.say(method, data=data))


def values(text):
    """JSON values one after another."""
    found, decoder, text = [], json.JSONDecoder(), text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].strip()
    return found


def run(suite):
    with suite.serve() as server:
        grpcurl = Grpcurl(server)
        reflection(suite, grpcurl)
        calls(suite, grpcurl)
        standard(suite, grpcurl)
        load(suite, server)


def reflection(suite, grpcurl):
    with suite.check("services are listed"):
        listed = grpcurl.say("list").split()
        for name in [GREETER, STREAMS, "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"]:
            expect(name in listed, f"{name} is not among {listed}")
    with suite.check("a service is described"):
        said = grpcurl.say("describe", STREAMS)
        expect("rpc Chat ( stream .example.Line ) returns ( stream .example.Line );" in said, said)
    with suite.check("a message is described"):
        expect("uint32 count = 2;" in grpcurl.say("describe", "example.RepeatRequest"), "its fields are missing")
    with suite.check("what is not there is not found"):
        code, _, errors = grpcurl.run("describe", "nothing.Here")
        expect(code != 0 and "not found" in errors.lower(), errors)


def calls(suite, grpcurl):
    lines = [{"message": "one"}, {"message": "two"}]
    with suite.check("one message each way"):
        same([{"message": "Hello world"}], grpcurl.call(f"{GREETER}/SayHello", {"name": "world"}))
    with suite.check("a stream back"):
        same([lines[0]] * 3, grpcurl.call(f"{STREAMS}/Repeat", {**lines[0], "count": 3}))
    with suite.check("a stream there"):
        same([{"messages": "2", "bytes": "6"}], grpcurl.call(f"{STREAMS}/Collect", *lines))
    with suite.check("a stream each way"):
        same(lines, grpcurl.call(f"{STREAMS}/Chat", *lines))
    with suite.check("streams without a message"):
        same([], grpcurl.call(f"{STREAMS}/Chat"))
        same([{}], grpcurl.call(f"{STREAMS}/Collect"))
    with suite.check("a deadline ends a stream"):
        slow = {**lines[0], "count": 2, "intervalMs": 60000}
        code, said, errors = grpcurl.run("-max-time", "0.5", f"{STREAMS}/Repeat", data=[slow])
        expect(code != 0 and "DeadlineExceeded" in errors, errors)
        same([lines[0]], values(said), "what came before")


def standard(suite, grpcurl):
    with suite.check("health is told"):
        same([{"status": "SERVING"}], grpcurl.call("grpc.health.v1.Health/Check", {"service": GREETER}))
        code, _, errors = grpcurl.run("grpc.health.v1.Health/Check", data=[{"service": "nobody"}])
        expect(code != 0 and "NotFound" in errors, errors)
    with suite.check("health is watched"):
        _, said, _ = grpcurl.run("-max-time", "0.5", "grpc.health.v1.Health/Watch", data=[{"service": "nobody"}])
        same([{"status": "SERVICE_UNKNOWN"}], values(said))
    with suite.check("channelz shows the server"):
        [servers] = grpcurl.call("grpc.channelz.v1.Channelz/GetServers")
        same(grpcurl.server.address, servers["server"][0]["ref"]["name"])


def load(suite, server):
    with suite.check("ghz makes 20 000 calls"):
        options = ["--insecure", "--call", f"{GREETER}.SayHello", "-d", '{"name":"world"}', "-O", "json"]
        command = [GO_PROGRAMS / "ghz", *options, "-n", "20000", "-c", "10", server.address]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
        expect(ran.returncode == 0, ran.stderr[-300:])
        same({"OK": 20000}, json.loads(ran.stdout)["statusCodeDistribution"])
    with suite.check("ghz streams"):
        options = ["--insecure", "--call", f"{STREAMS}.Chat", "-d", '[{"message":"a"},{"message":"b"}]', "-O", "json"]
        command = [GO_PROGRAMS / "ghz", *options, "-n", "500", "-c", "5", server.address]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
        expect(ran.returncode == 0, ran.stderr[-300:])
        same({"OK": 500}, json.loads(ran.stdout)["statusCodeDistribution"])
