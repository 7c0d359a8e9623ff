"""curl as an HTTP client: bodies of both kinds, keep-alive, chunks, Expect, HTTP/1.0, HEAD, errors, built-in pages."""

import gzip
import json
import subprocess
import tempfile
from pathlib import Path

from harness import expect, responses, same, tool

NEEDS = [tool("curl")]
ECHO = "/example.EchoService/Echo"
JSON = ("-H", "Content-Type: application/json")


class Curl:
    def __init__(self, server):
        self.server = server

    def __call__(self, *arguments, body=None):
        """Runs curl, `body` on its standard input; hands back what it printed, bytes."""
        ran = subprocess.run(["curl", "-sS", "--max-time", "20", *arguments], input=body, capture_output=True)
        expect(ran.returncode == 0, f"curl ended with {ran.returncode}: {ran.stderr.decode()}")
        self.said = ran.stderr.decode()
        return ran.stdout

    def url(self, path):
        return f"http://{self.server.address}{path}"

    def reply(self, path, *arguments, body=None):
        """(status, headers, body) of one request; interim replies are left out."""
        raw = self("-i", "--raw", *arguments, self.url(path), body=body)
        found = [reply for reply in responses(raw) if reply[0] >= 200]
        same(1, len(found), "number of replies")
        return found[0]

    def echo(self, message, *arguments, body=None, kind="application/json"):
        """Posts an EchoRequest and expects the same message back."""
        status, headers, answer = self.reply(ECHO, "-H", f"Content-Type: {kind}", *arguments, body=body)
        same((200, kind), (status, headers.get("content-type", "").split(";")[0]), f"status and type ({answer[:200]})")
        same({"message": message}, json.loads(answer))


def run(suite):
    with suite.serve() as server, tempfile.TemporaryDirectory() as folder:
        curl = Curl(server)
        bodies(suite, curl, Path(folder))
        connections(suite, curl)
        errors(suite, curl)
        pages(suite, curl)


def bodies(suite, curl, folder):
    with suite.check("POST of JSON is echoed"):
        curl.echo("hi!", "-d", '{"message":"hi!"}')
    for verb in ("GET", "PUT"):
        with suite.check(f"{verb} does not reach a method that may change something"):
            status, headers, _ = curl.reply(ECHO, "-X", verb, "-d", '{"message":"hi!"}')
            same((405, "POST"), (status, headers.get("allow")))
    with suite.check("a page of another origin reaches no method"):
        status, _, _ = curl.reply(ECHO, "-H", "Origin: http://evil.example", "-d", '{"message":"hi!"}')
        same(403, status)
    with suite.check("JSON with escapes and text beyond ASCII is echoed"):
        curl.echo('Grüße, 你好 "\\/\n\t\u0001 🦀', "-d", json.dumps({"message": 'Grüße, 你好 "\\/\n\t\u0001 🦀'}))
    with suite.check("a body without a type is taken as JSON"):
        status, _, answer = curl.reply(ECHO, "-H", "Content-Type:", "-d", '{"message":"x"}')
        same((200, {"message": "x"}), (status, json.loads(answer)))
    with suite.check("the short name of the service works too"):
        status, _, answer = curl.reply("/EchoService/Echo", *JSON, "-d", '{"message":"x"}')
        same((200, {"message": "x"}), (status, json.loads(answer)))
    for kind in ("application/proto", "application/x-protobuf"):
        with suite.check(f"a protobuf body of type {kind} is answered in protobuf"):
            status, headers, answer = curl.reply(
                ECHO, "-H", f"Content-Type: {kind}", "--data-binary", "@-", body=b"\x0a\x03hi!"
            )
            same((200, b"\x0a\x03hi!"), (status, answer))
            expect(headers.get("content-type") in ("application/proto", kind), f"type {headers.get('content-type')}")
    with suite.check("a gzipped request is inflated"):
        curl.echo("zipped", "-H", "Content-Encoding: gzip", "--data-binary", "@-", body=gzip.compress(b'{"message":"zipped"}'))
    with suite.check("a request in a coding we do not know is refused with 415"):
        status, _, _ = curl.reply(ECHO, *JSON, "-H", "Content-Encoding: br", "-d", '{"message":"x"}')
        same(415, status, "status")
    for size in (0, 1000, 100_000, 5_000_000):
        with suite.check(f"a message of {size} bytes is echoed"):
            text = "x" * size
            curl.echo(text, "--data-binary", "@-", body=json.dumps({"message": text}).encode())
    with suite.check("a chunked upload is put together"):
        text = "chunk " * 200_000
        upload = folder / "upload.json"
        upload.write_text(json.dumps({"message": text}))
        curl.echo(text, "-X", "POST", "-T", str(upload), "-H", "Transfer-Encoding: chunked")


def connections(suite, curl):
    with suite.check("a connection is kept alive and used again"):
        once = [*JSON, "-d", '{"message":"x"}', "-o", "/dev/null", "-w", "%{http_code} %{num_connects}\\n", curl.url(ECHO)]
        printed = curl(*once, "--next", "-sS", *once, "--next", "-sS", *once)
        same(b"200 1\n200 0\n200 0\n", printed)
    with suite.check("Connection: close is honoured"):
        status, headers, _ = curl.reply(ECHO, *JSON, "-H", "Connection: close", "-d", '{"message":"x"}')
        same((200, "close"), (status, headers.get("connection", "").lower()))
    with suite.check("Expect: 100-continue gets its 100 and then the answer"):
        curl.echo("x" * 100_000, "-v", "-H", "Expect: 100-continue", "--expect100-timeout", "10", "--data-binary", "@-",
                  body=json.dumps({"message": "x" * 100_000}).encode())
        expect("HTTP/1.1 100 Continue" in curl.said, "no 100 Continue was seen")
    with suite.check("HTTP/1.0 is answered and closed"):
        raw = curl("-i", "--raw", "--http1.0", *JSON, "-d", '{"message":"old"}', curl.url(ECHO))
        expect(raw.startswith(b"HTTP/1.0 200") or raw.startswith(b"HTTP/1.1 200"), f"{raw[:40]}")
        status, headers, answer = responses(raw)[0]
        same({"message": "old"}, json.loads(answer))
        expect(headers.get("connection", "close") == "close", f"connection: {headers.get('connection')}")
        expect("transfer-encoding" not in headers, "HTTP/1.0 knows no transfer codings")
    with suite.check("HTTP/1.0 with keep-alive is told that it may go on"):
        raw = curl("-i", "--raw", "--http1.0", "-H", "Connection: keep-alive", *JSON, "-d", '{"message":"x"}', curl.url(ECHO))
        same("keep-alive", responses(raw)[0][1].get("connection", "").lower(), "connection")
    with suite.check("HEAD has the headers of GET and no body"):
        raw = curl("-I", "--raw", curl.url("/health"))
        head = responses(raw, heads=[0])[0]
        get = curl.reply("/health")
        same((200, get[1].get("content-length"), b""), (head[0], head[1].get("content-length"), head[2]))
    with suite.check("HEAD leaves the connection usable"):
        printed = curl("-sI", "-o", "/dev/null", curl.url("/health"), "--next", "-sS", "-o", "/dev/null",
                       "-w", "%{http_code} %{num_connects}", curl.url("/health"))
        same(b"200 0", printed)


def errors(suite, curl):
    def refused(name, status, code, path, *arguments):
        with suite.check(name):
            found, headers, answer = curl.reply(path, *arguments)
            same((status, code), (found, headers.get("x-bd-error-code")), f"status and x-bd-error-code ({answer[:200]})")
            same("text/plain", headers.get("content-type", "").split(";")[0], "type of the error text")
            expect(answer, "the error has no text")

    refused("an unknown method is 404 and 1002", 404, "1002", "/example.EchoService/NoSuchMethod", *JSON, "-d", "{}")
    refused("an unknown service is 404 and 1002", 404, "1002", "/example.NoSuchService/Echo", *JSON, "-d", "{}")
    refused("an unknown path is 404 and 1002", 404, "1002", "/no/such/page")
    refused("malformed JSON is 400 and 1003", 400, "1003", ECHO, *JSON, "-d", '{"message":')
    refused("bytes behind the JSON value are 400 and 1003", 400, "1003", ECHO, *JSON, "-d", '{"message":"x"} y')
    refused("a missing required field is 400 and 1003", 400, "1003", ECHO, *JSON, "-d", "{}")
    refused("an empty body where a field is required is 400 and 1003", 400, "1003", ECHO, *JSON, "-X", "POST")
    refused("a malformed protobuf body is 400 and 1003", 400, "1003", ECHO, "-H", "Content-Type: application/proto", "-d", "zz")
    refused("JSON nested too deeply is 400 and 1003", 400, "1003", ECHO, *JSON, "-d", '{"x":' * 200 + "1" + "}" * 200)
    with suite.check("an error leaves the connection usable"):
        printed = curl("-o", "/dev/null", curl.url("/no/such/page"), "--next", "-sS", "-o", "/dev/null",
                       "-w", "%{http_code} %{num_connects}", curl.url("/health"))
        same(b"200 0", printed)


def pages(suite, curl):
    with suite.check("/health says OK"):
        status, _, answer = curl.reply("/health")
        same((200, b"OK"), (status, answer.strip()))
    with suite.check("/version says something"):
        status, _, answer = curl.reply("/version")
        expect(status == 200 and answer.strip(), f"{status} {answer}")
    with suite.check("/status shows the service, the method and its counters"):
        status, _, answer = curl.reply("/status")
        text = answer.decode()
        same(200, status, "status")
        for word in ("[example.EchoService]", "\nEcho", "count: ", "qps: ", "latency_99: "):
            expect(word in text, f"{word!r} is not in {text[:400]!r}")
    with suite.check("/vars lists sorted `name : value` lines"):
        status, _, answer = curl.reply("/vars")
        names = [line.split(" : ")[0] for line in answer.decode().split("\r\n") if line]
        same(200, status, "status")
        expect(len(names) > 5 and names == sorted(names), f"{names[:10]}")
    with suite.check("/vars/NAME shows one of them"):
        status, _, answer = curl.reply("/vars/process_*")
        expect(status == 200 and b" : " in answer, f"{status} {answer[:200]}")
