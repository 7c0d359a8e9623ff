"""PyJWT 2.15.1 as issuer: the gateway fetches its keys, and takes its tokens, by every algorithm."""

import json
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

try:
    import jwt
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
    from jwt import algorithms
except ImportError:  # then NEEDS says so
    jwt = None

from harness import expect, package, same

NEEDS = [package("PyJWT", "2.15.1"), package("cryptography", "50.0.2")]
METHOD = "example.EchoService/Echo"
ISSUER = "https://id.example"


class Issuer:
    """Keys by their names, and a server of their public halves."""

    def __init__(self):
        self.keys, self.asked = {}, 0
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.asked += 1
                body = json.dumps({"keys": [public for _, public in issuer.keys.values()]}).encode()
                self.send_response(200)
                self.send_header("content-type", "application/jwk-set+json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/keys"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def add(self, kid, kind, key):
        public = json.loads(kind.to_jwk(key.public_key()))
        self.keys[kid] = (key, {**public, "kid": kid, "use": "sig"})

    def token(self, kid, algorithm, **claims):
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": "shop", "sub": "ada", "exp": now + 300, **claims}
        return jwt.encode(claims, self.keys[kid][0], algorithm=algorithm, headers={"kid": kid})


def run(suite):
    issuer = Issuer()
    issuer.add("rsa", algorithms.RSAAlgorithm, rsa.generate_private_key(public_exponent=65537, key_size=2048))
    issuer.add("p256", algorithms.ECAlgorithm, ec.generate_private_key(ec.SECP256R1()))
    issuer.add("p384", algorithms.ECAlgorithm, ec.generate_private_key(ec.SECP384R1()))
    issuer.add("ed", algorithms.OKPAlgorithm, ed25519.Ed25519PrivateKey.generate())
    try:
        with suite.serve() as server, tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "gateway.toml"
            file.write_text(
                f'[listeners.main]\nlisten = "127.0.0.1:0"\n'
                f'jwt = {{ issuer = "{ISSUER}", audiences = ["shop"], keys = "{issuer.url}" }}\n'
                f'[clusters.behind]\nprotocol = "grpc"\nservers = "{server.address}"\n'
                f'[[routes]]\nmatch = "*"\nto = "behind"\n'
            )
            gateway = suite.foreign_server("polywire gateway", [suite.program, "gateway", str(file)])
            tokens(suite, issuer, gateway)
    finally:
        issuer.server.shutdown()


def tokens(suite, issuer, gateway):
    def calls(token):
        field = f"authorization=Bearer {token}"
        arguments = ["-s", gateway.address, "-p", "grpc", METHOD, "-d", '{"message":"x"}', "-H", field]
        return suite.polywire("call", *arguments)

    by_key = {
        "rsa": ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
        "p256": ["ES256"],
        "p384": ["ES384"],
        "ed": ["EdDSA"],
    }
    for kid, names in by_key.items():
        for name in names:
            with suite.check(f"a token by {name} is taken"):
                ran = calls(issuer.token(kid, name))
                same(0, ran.returncode, ran.stderr)
    with suite.check("the keys were fetched once for all of them"):
        same(1, issuer.asked)

    now = int(time.time())
    number = issuer.keys["rsa"][1]["n"].encode()
    stranger = ec.generate_private_key(ec.SECP256R1())
    claims = {"iss": ISSUER, "aud": "shop", "sub": "ada", "exp": now + 300}
    refused = {
        "has expired": issuer.token("p256", "ES256", exp=now - 120),
        "is not valid yet": issuer.token("p256", "ES256", nbf=now + 120),
        "for another audience": issuer.token("p256", "ES256", aud=["stock"]),
        "issuer of the token is not known": issuer.token("p256", "ES256", iss="https://evil.example"),
        "signature of the token is wrong": jwt.encode(claims, stranger, algorithm="ES256", headers={"kid": "p256"}),
        "key of the token is not known": jwt.encode(claims, stranger, algorithm="ES256", headers={"kid": "other"}),
        "algorithm that is not taken": jwt.encode(claims, number, algorithm="HS256", headers={"kid": "rsa"}),
        "by an algorithm that is not": jwt.encode(claims, None, algorithm="none", headers={"kid": "rsa"}),
    }
    for why, token in refused.items():
        with suite.check(f"a token is refused: {why}"):
            ran = calls(token)
            same(1, ran.returncode)
            expect(why in ran.stderr and "UNAUTHENTICATED" in ran.stderr, ran.stderr)
    with suite.check("a flood of unknown keys does not reach the source"):
        for number in range(20):
            token = jwt.encode(claims, stranger, algorithm="ES256", headers={"kid": f"k{number}"})
            same(1, calls(token).returncode)
        expect(issuer.asked <= 2, f"asked {issuer.asked} times")
