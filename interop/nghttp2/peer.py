"""nghttp, h2load and curl with prior knowledge: calls, long bodies, small windows, padding, CONTINUATION, load."""

import json
import subprocess
import tempfile
from pathlib import Path

from harness import expect, same, tool

NEEDS = [tool("nghttp"), tool("h2load"), tool("curl")]
ECHO = "/example.EchoService/Echo"
LONG = 3_000_000


def run(suite):
    with suite.serve() as server, tempfile.TemporaryDirectory() as folder:
        base = f"http://{server.address}"
        small, long = Path(folder) / "small.json", Path(folder) / "long.json"
        small.write_text('{"message":"hi!"}')
        long.write_text(json.dumps({"message": "x" * LONG}))
        curl(suite, base, long)
        nghttp(suite, base, small, long)
        load(suite, base, small)


def said(command, body=None):
    ran = subprocess.run(command, input=body, capture_output=True, timeout=60)
    expect(ran.returncode == 0, f"{command[0]} ended with {ran.returncode}: {ran.stderr.decode()[-300:]}")
    return ran.stdout


def curl(suite, base, long):
    def ask(*arguments):
        command = ["curl", "-sS", "--http2-prior-knowledge", "--max-time", "30", "-w", "\n%{http_version} %{http_code}"]
        body, _, end = said([*command, *arguments]).rpartition(b"\n")
        version, status = end.decode().split()
        same("2", version, "version")
        return int(status), body

    with suite.check("curl: JSON is echoed over HTTP/2"):
        status, body = ask("-d", '{"message":"hi"}', base + ECHO)
        same((200, {"message": "hi"}), (status, json.loads(body)))
    with suite.check("curl: protobuf is echoed"):
        proto = ["-H", "content-type: application/proto", "--data-binary", "\n\x03hi!"]
        same((200, b"\n\x03hi!"), ask(*proto, base + ECHO))
    with suite.check("curl: three megabytes there and back"):
        status, body = ask("--data-binary", f"@{long}", base + ECHO)
        same((200, LONG), (status, len(json.loads(body)["message"])))
    with suite.check("curl: an upload of unknown length"):
        upload = ["-T", "-", "-X", "POST", "-H", "content-type: application/json"]
        command = ["curl", "-sS", "--http2-prior-knowledge", *upload, base + ECHO]
        same({"message": "piped"}, json.loads(said(command, b'{"message":"piped"}')))
    with suite.check("curl: errors, HEAD and pages"):
        same(404, ask(base + "/example.EchoService/Nope")[0])
        same((200, b""), ask("-I", "-o", "/dev/null", base + "/health"))
        same(200, ask(base + "/status")[0])


def nghttp(suite, base, small, long):
    def echo(body, *options):
        command = ["nghttp", "-d", body, "-H", "content-type: application/json", *options, base + ECHO]
        return json.loads(said(command))

    with suite.check("nghttp: a call"):
        same({"message": "hi!"}, echo(small))
    with suite.check("nghttp: padding on every frame"):
        same({"message": "hi!"}, echo(small, "-b", "200"))
        same(LONG, len(echo(long, "-b", "255")["message"]))
    for bits in (8, 14, 24):
        with suite.check(f"nghttp: windows of 2^{bits} - 1 bytes"):
            same(LONG if bits > 8 else 3, len(echo(long if bits > 8 else small, "-w", str(bits), "-W", str(bits))["message"]))
    with suite.check("nghttp: a head of 18 KiB, in CONTINUATION, is refused alone"):
        found = said(["nghttp", "-v", "--no-dep", "--continuation", base + "/health"]).decode()
        expect(":status: \x1b[1;36m431" in found or ":status: 431" in found, found[-500:])
    with suite.check("nghttp: a dynamic table of nothing, and of much"):
        for size in ("0", "65536"):
            same({"message": "hi!"}, echo(small, "-c", size))
    with suite.check("nghttp: an expectation"):
        same({"message": "hi!"}, echo(small, "--expect-continue"))
    with suite.check("nghttp: a hundred requests at once"):
        command = ["nghttp", "-m", "100", "-d", small, "-H", "content-type: application/json", base + ECHO]
        same(100, said(command).count(b'{"message":"hi!"}'))


def load(suite, base, small):
    for clients, streams in ((1, 1), (1, 100), (10, 100), (2, 1000)):
        with suite.check(f"h2load: {clients} connections with {streams} streams each, all succeed"):
            size = ["-n", "20000", "-c", str(clients), "-m", str(streams)]
            command = ["h2load", *size, "-d", small, "-H", "content-type: application/json", base + ECHO]
            out = said(command).decode()
            expect("20000 succeeded, 0 failed, 0 errored, 0 timeout" in out, out[-500:])
            expect("20000 2xx" in out, out[-500:])
