"""httpx 0.28.1 over h11, a strict second parser: keep-alive, streams of chunks, many callers at once."""

import asyncio
import json

try:
    import httpx
except ImportError:  # then NEEDS says so
    httpx = None

from harness import expect, package, same

NEEDS = [package("httpx", "0.28.1"), package("h11", "0.16.0")]
ECHO = "/example.EchoService/Echo"
CALLERS = 50
CALLS = 40


def run(suite):
    with suite.serve() as server:
        base = f"http://{server.address}"
        with httpx.Client(base_url=base, timeout=20) as client:
            one_by_one(suite, client)
        with suite.check(f"{CALLERS} callers on 10 connections, each gets its own replies"):
            asyncio.run(many(base))


def one_by_one(suite, client):
    with suite.check("JSON is echoed, a hundred times over one connection"):
        for number in range(100):
            reply = client.post(ECHO, json={"message": f"call {number}"})
            same((200, {"message": f"call {number}"}), (reply.status_code, reply.json()))
    with suite.check("protobuf is echoed"):
        reply = client.post(ECHO, content=b"\x0a\x03hi!", headers={"content-type": "application/proto"})
        same((200, b"\x0a\x03hi!"), (reply.status_code, reply.content))
    with suite.check("a body that is made while it is sent arrives whole"):
        text = "piece " * 5000
        body = json.dumps({"message": text}).encode()
        pieces = (body[at : at + 777] for at in range(0, len(body), 777))
        reply = client.post(ECHO, content=pieces, headers={"content-type": "application/json"})
        same((200, {"message": text}), (reply.status_code, reply.json()))
    with suite.check("an error reply parses and the next call works"):
        reply = client.post("/example.EchoService/Nope", json={})
        same((404, "1002"), (reply.status_code, reply.headers.get("x-bd-error-code")))
        same(200, client.get("/health").status_code)
    for method in ("HEAD", "OPTIONS", "DELETE", "PATCH"):
        with suite.check(f"{method} gets a reply that parses and leaves the connection usable"):
            client.request(method, "/health")
            same(b"OK", client.get("/health").content.strip())


async def many(base):
    limits = httpx.Limits(max_connections=10)
    async with httpx.AsyncClient(base_url=base, limits=limits, timeout=60) as client:

        async def caller(name):
            for number in range(CALLS):
                message = f"{name} {number} " + "x" * (number * 37)
                reply = await client.post(ECHO, json={"message": message})
                expect(reply.json() == {"message": message}, f"caller {name} got {reply.text[:100]}")

        await asyncio.gather(*(caller(name) for name in range(CALLERS)))
