"""Kitex: its client over TTHeader against our server, one call or many at a time on a connection; our client against its servers."""

import json

from harness import GO_PROGRAMS, expect, go_tool, same

PROGRAM = GO_PROGRAMS / "kitex"
NEEDS = [go_tool("kitex")]


def run(suite):
    with suite.serve() as server:
        suite.relay([PROGRAM, "client", server.address], timeout_s=120)
        with suite.over("the gateway"), suite.gateway(f"thrift:ttheader://{server.address}") as gateway:
            suite.relay([PROGRAM, "client", gateway.address], timeout_s=120)
    for kind in ("single", "multiplexed"):
        server = suite.foreign_server(f"kitex serve {kind}", [PROGRAM, "serve", kind])
        for form in ("ttheader", "ttheader+framed"):
            ours(suite, f"{kind}, {form}", f"thrift:{form}", server)
        server.stop()


def ours(suite, name, protocol, server):
    def request(text):
        return {"1": {"rec": {"1": {"str": text}}}}

    def reply(text):
        return {"0": {"rec": {"1": {"str": text}}}}

    with suite.check(f"our client, {name}: calls, short and long"):
        for text in ("", "text", "ü" * 300, "x" * 30_000):
            same(reply(text), json.loads(suite.call(server.address, protocol, "Echo", request(text))))
    with suite.check(f"our client, {name}: fields and the time limit arrive"):
        fields = ["user=ann", "RPC_PERSIST_team=blue", "source-service=me"]
        headers = [argument for field in fields for argument in ("-H", field)]
        command = ["call", "-s", server.address, "-p", protocol, "Fields", "-d", json.dumps(request("")), *headers]
        ran = suite.polywire(*command)
        expect(ran.returncode == 0, ran.stderr)
        same(reply("ann blue me true"), json.loads(ran.stdout))
    with suite.check(f"our client, {name}: failures of the application and of the call"):
        for method, code, said in (
            ("Refuse", "UNKNOWN", "no such shelf"),
            ("Fail", "INTERNAL", "the handler failed"),
            ("None", "UNIMPLEMENTED", "None"),
        ):
            ran = suite.polywire("call", "-s", server.address, "-p", protocol, method, "-d", json.dumps(request("")))
            same(1, ran.returncode, "exit code")
            expect(f"{code}: " in ran.stderr and said in ran.stderr, ran.stderr)
    with suite.check(f"our client, {name}: twenty callers on one connection get their own replies"):
        told = suite.press(server.address, protocol, "Echo", request("hi"), "--count", 2000, "--concurrency", 20)
        same((2000, 0), (told["calls"], told["errors"]))
