"""Certificates made by `openssl` for one run; nothing here is worth keeping."""

import subprocess


class Certificates:
    """An issuer, servers `a` (localhost) and `b` (b.example), a client, and a stranger's issuer."""

    def __init__(self, folder):
        self.folder = folder
        for issuer in ("ca", "stranger"):
            self._openssl("req", "-x509", *self._key(issuer), "-subj", f"/CN={issuer}", "-days", "2", "-out", self(f"{issuer}.pem"))
        self._issue("a", "DNS:localhost,IP:127.0.0.1")
        self._issue("b", "DNS:b.example")
        self._issue("client", "DNS:ada.example")

    def __call__(self, name):
        return str(self.folder / name)

    def server(self, name="a"):
        return "--tls-cert", self(f"{name}.pem"), "--tls-key", self(f"{name}.key")

    def _key(self, name):
        return "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", self(f"{name}.key")

    def _issue(self, name, names):
        self._openssl("req", *self._key(name), "-subj", f"/CN={name}", "-out", self(f"{name}.csr"))
        (self.folder / "extensions").write_text(f"subjectAltName={names}")
        self._openssl(
            *("x509", "-req", "-in", self(f"{name}.csr"), "-CA", self("ca.pem"), "-CAkey", self("ca.key"), "-days", "2"),
            *("-extfile", self("extensions"), "-out", self(f"{name}.pem")),
        )

    @staticmethod
    def _openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)
