"""TLS with OpenSSL's own tools, curl, redis and Python's ssl, on both sides."""

import contextlib
import json
import os
import re
import socket
import ssl
import subprocess
import tempfile
from pathlib import Path

from harness import Certificates, eventually, expect, same, tool

NEEDS = [tool("openssl"), tool("curl"), tool("redis-cli"), tool("redis-server")]
ECHO = "/example.EchoService/Echo"
HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def run(suite):
    with tempfile.TemporaryDirectory() as folder:
        files = Certificates(Path(folder))
        with suite.serve(*files.server(), "--plain-beside-tls") as server:
            openssl_client(suite, files, server)
            curl(suite, files, server)
            redis_cli(suite, files, server)
            python(suite, files, server)
        with suite.serve(*files.server("b"), *files.server(), "--tls-client-ca", files("ca.pem")) as server:
            demanding(suite, files, server)
        openssl_server(suite, files)
        redis_server(suite, files)


def s_client(server, files, *options, say=HEALTH, issuer="ca.pem"):
    """Runs `openssl s_client`; hands back its exit code and all it printed."""
    base = ["openssl", "s_client", "-connect", server.address, "-CAfile", files(issuer), "-verify_return_error", "-ign_eof"]
    ran = subprocess.run([*base, *options], input=say, capture_output=True, timeout=20)
    return ran.returncode, (ran.stdout + ran.stderr).decode(errors="replace")


def openssl_client(suite, files, server):
    for version in ("-tls1_3", "-tls1_2"):
        with suite.check(f"openssl s_client {version}: verified, answered, closed with a goodbye"):
            code, said = s_client(server, files, version, "-verify_hostname", "localhost")
            same(0, code, "exit code")
            expect("Verify return code: 0 (ok)" in said and "\r\nOK" in said, said[-600:])
            expect("closed" in said and "read:errno" not in said, said[-300:])
    with suite.check("openssl s_client: ciphers of both kinds"):
        for suites in ("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"):
            code, said = s_client(server, files, "-tls1_3", "-ciphersuites", suites)
            expect(code == 0 and suites in said and "\r\nOK" in said, said[-300:])
        for cipher in ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"):
            code, said = s_client(server, files, "-tls1_2", "-cipher", cipher)
            expect(code == 0 and cipher in said and "\r\nOK" in said, said[-300:])
    with suite.check("openssl s_client: old versions are refused"):
        code, said = s_client(server, files, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
        expect(code != 0 and "alert" in said, said[-300:])
    with suite.check("openssl s_client: ALPN by the server's order; nothing in common is refused"):
        expect("ALPN protocol: h2" in s_client(server, files, "-alpn", "http/1.1,h2")[1], "not h2")
        expect("ALPN protocol: http/1.1" in s_client(server, files, "-alpn", "http/1.1")[1], "not http/1.1")
        expect("No ALPN negotiated" in s_client(server, files)[1], "ALPN out of nothing")
        code, said = s_client(server, files, "-alpn", "spdy/3")
        expect(code != 0 and "no application protocol" in said, said[-300:])
    with suite.check("openssl s_client: a session is resumed, in both versions"):
        for version in ("-tls1_3", "-tls1_2"):
            kept = files(f"session{version}")
            code, first = s_client(server, files, version, "-sess_out", kept)
            code, second = s_client(server, files, version, "-sess_in", kept)
            expect("Reused, TLS" in second and "\r\nOK" in second, second[-300:])
    with suite.check("openssl s_client: keys change on both sides in mid-stream"):
        # A line K changes keys and asks for the same; the request follows.
        base = ["openssl", "s_client", "-connect", server.address, "-CAfile", files("ca.pem"), "-tls1_3"]
        with subprocess.Popen(base, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as client:
            for line in (b"K\n", HEALTH):
                client.stdin.write(line)
                client.stdin.flush()
                if line == b"K\n":
                    said = b""
                    while b"KEYUPDATE" not in said:
                        read = os.read(client.stdout.fileno(), 4096)
                        expect(read, said[-300:])
                        said += read
            while b"\r\nOK" not in said:
                read = os.read(client.stdout.fileno(), 4096)
                expect(read, said[-300:])
                said += read
            client.kill()
    with suite.check("openssl s_client: a stranger's issuer is not believed, and the server counts it"):
        code, said = s_client(server, files, issuer="stranger.pem")
        expect(code != 0 and "verify error" in said, said[-300:])
        expect(eventually(lambda: counted(suite, server, "fault_tls_certificate") >= 1), "not counted")


def counted(suite, server, name):
    said = suite.call(server.address, "http", f"GET /vars/*{name}")
    return int(re.search(r" : (\d+)", said).group(1))


def curl(suite, files, server):
    def post(*options, body=b'{"message":"hi"}'):
        url = f"https://localhost:{server.port}{ECHO}"
        base = ["curl", "-sS", "--max-time", "20", "--cacert", files("ca.pem"), "-H", "Content-Type: application/json"]
        ran = subprocess.run([*base, *options, "--data-binary", "@-", url], input=body, capture_output=True)
        expect(ran.returncode == 0, f"curl ended with {ran.returncode}: {ran.stderr.decode()}")
        return ran.stdout

    for version in ("--http1.0", "--http1.1", "--http2", "--http2-prior-knowledge"):
        with suite.check(f"curl {version} over https: JSON is echoed"):
            same({"message": "hi"}, json.loads(post(version)))
    with suite.check("curl over https: 3 MB there and back"):
        message = "x" * 3_000_000
        same(message, json.loads(post("-H", "Expect:", body=json.dumps({"message": message}).encode()))["message"])
    with suite.check("curl over https: TLS 1.2"):
        same({"message": "hi"}, json.loads(post("--tls-max", "1.2")))


def redis_cli(suite, files, server):
    def cli(*arguments, standard_input=None):
        base = ["redis-cli", "-h", "localhost", "-p", str(server.port), "--tls", "--cacert", files("ca.pem")]
        ran = subprocess.run([*base, *arguments], input=standard_input, capture_output=True, text=True, timeout=30)
        return (ran.stdout + ran.stderr).strip()

    with suite.check("redis-cli --tls: PING, SET, GET, RESP3"):
        same("PONG", cli("PING"))
        same("OK", cli("SET", "tls", "a value"))
        same('"a value"', cli("-3", "--no-raw", "GET", "tls"))
    with suite.check("redis-cli --tls --pipe: 10000 commands in one go"):
        commands = "".join(f"*3\r\n$3\r\nSET\r\n${len(k)}\r\n{k}\r\n$1\r\nv\r\n" for k in map("tls{}".format, range(10_000)))
        said = cli("--pipe", standard_input=commands)
        expect("errors: 0, replies: 10000" in said, said)


def connect(server, files, name="localhost"):
    """A TLS connection by Python's ssl."""
    context = ssl.create_default_context(cafile=files("ca.pem"))
    raw = socket.create_connection((server.host, server.port), timeout=20)
    return context.wrap_socket(raw, server_hostname=name)


def python(suite, files, server):
    with suite.check("Python ssl: answered, then a goodbye both ways"):
        with connect(server, files) as tls:
            tls.sendall(b"PING\r\n")
            same(b"+PONG\r\n", tls.recv(100))
            tls.unwrap()  # raises unless the server says goodbye too
    with suite.check("Python ssl: 2000 commands byte by byte and in one go"):
        with connect(server, files) as tls:
            for byte in b"PING\r\n":
                tls.send(bytes([byte]))
            same(b"+PONG\r\n", tls.recv(100))
            tls.sendall(b"PING\r\n" * 2000)
            answer = b""
            while len(answer) < 14_000:
                answer += tls.recv(65536)
            same(b"+PONG\r\n" * 2000, answer)
    with suite.check("Python ssl: a name that the certificate has not is noticed"):
        with contextlib.suppress(ssl.SSLCertVerificationError):
            connect(server, files, "elsewhere")
            expect(False, "it was believed")
    with suite.check("Python ssl: an end without a goodbye is counted within a command, and not after an answer"):
        before = counted(suite, server, "fault_tls_truncated")
        for sent in (b"PING\r\n", b"PING\r\nPI"):
            tls = connect(server, files)
            tls.sendall(sent)
            same(b"+PONG\r\n", tls.recv(100))
            socket.socket(fileno=tls.detach()).close()
        expect(eventually(lambda: counted(suite, server, "fault_tls_truncated") == before + 1), "not counted")
    with suite.check("plain text on the same port, where it was asked for"):
        same('{"message":"plain"}', suite.call(server.address, "baidu_std", "example.EchoService/Echo", {"message": "plain"}).strip())


def demanding(suite, files, server):
    ours = ("-cert", files("client.pem"), "-key", files("client.key"))
    with suite.check("openssl s_client with a certificate is let in, by both names of the server"):
        for name in ("localhost", "b.example"):
            code, said = s_client(server, files, *ours, "-servername", name, "-verify_hostname", name)
            expect(code == 0 and "\r\nOK" in said, said[-300:])
    with suite.check("openssl s_client without one, or with a stranger's, is turned away"):
        stranger = ("-cert", files("stranger.pem"), "-key", files("stranger.key"))
        for version in ("-tls1_3", "-tls1_2"):
            for shown in ((), stranger):
                said = s_client(server, files, version, *shown)[1]
                expect("alert" in said and "\r\nOK" not in said, said[-300:])
    with suite.check("curl with a certificate is let in"):
        url = f"https://localhost:{server.port}/health"
        shows = ["--cert", files("client.pem"), "--key", files("client.key"), "--cacert", files("ca.pem")]
        same(b"OK", subprocess.run(["curl", "-sS", *shows, url], capture_output=True).stdout.strip())
    with suite.check("plain text is refused"):
        ran = subprocess.run(["curl", "-sS", f"http://{server.address}/health"], capture_output=True)
        same(b"this port takes TLS: https", ran.stdout.strip())


def tls_of(files, *more):
    return "--tls-ca", files("ca.pem"), "--tls-name", "localhost", *more


def openssl_server(suite, files):
    """`openssl s_server -www` answers one request per connection with a page about it."""

    def page(options, *more, protocol="http"):
        base = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", files("a.pem"), "-key", files("a.key")]
        with subprocess.Popen([*base, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            try:
                said = b""
                while not (found := re.search(rb"ACCEPT (\S+):(\d+)", said)):
                    read = os.read(server.stdout.fileno(), 4096)
                    expect(read, "s_server does not start")
                    said += read
                address = f"127.0.0.1:{int(found.group(2))}"
                return suite.polywire("call", "-s", address, "-p", protocol, "GET /", *tls_of(files, *more))
            finally:
                server.kill()

    for version in ("-tls1_3", "-tls1_2"):
        with suite.check(f"polywire call against openssl s_server {version}"):
            ran = page([version])
            expect(ran.returncode == 0 and "TLSv1." + version[-1] in ran.stdout, ran.stderr or ran.stdout[:300])
    with suite.check("polywire call shows its certificate to openssl s_server"):
        demands = ["-Verify", "1", "-CAfile", files("ca.pem"), "-verify_return_error"]
        ran = page(demands, "--tls-cert", files("client.pem"), "--tls-key", files("client.key"))
        expect(ran.returncode == 0 and "ada.example" in ran.stdout, ran.stderr or ran.stdout[:300])
        expect(page(demands).returncode != 0, "it was let in without one")
    with suite.check("polywire call does not believe a stranger's issuer, or another name"):
        for more in (("--tls-ca", files("stranger.pem")), ("--tls-name", "elsewhere")):
            base = {"--tls-ca": files("ca.pem"), "--tls-name": "localhost"} | dict([more])
            flat = [word for pair in base.items() for word in pair]
            with suite.serve(*files.server()) as server:
                ran = suite.polywire("call", "-s", server.address, "-p", "http", "GET /health", *flat)
            expect(ran.returncode != 0 and "certificate" in ran.stderr, ran.stderr)


def redis_server(suite, files):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", "0", "--tls-port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    options += ["--tls-cert-file", files("a.pem"), "--tls-key-file", files("a.key"), "--tls-ca-cert-file", files("ca.pem")]
    server = subprocess.Popen(["redis-server", *map(str, options)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with suite.check("polywire call and press against redis-server over TLS, both sides with certificates"):
            ours = tls_of(files, "--tls-cert", files("client.pem"), "--tls-key", files("client.key"))

            def ping():
                return suite.polywire("call", "-s", f"127.0.0.1:{port}", "-p", "redis", "PING", *ours)

            expect(eventually(lambda: ping().stdout.strip() == "PONG"), ping().stderr)
            pressed = suite.press(f"127.0.0.1:{port}", "redis", "PING", None, *ours, duration_s=1)
            same(0, pressed["errors"], "errors")
            expect(pressed["calls"] > 100, f"only {pressed['calls']} calls in a second")
    finally:
        server.kill()
        server.wait()
