"""kube-apiserver with an etcd of its own, as processes on loopback."""

import contextlib
import json
import shutil
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "registries"))

from parts import SEEN_S, Etcd, Part, free_port  # noqa: E402  (of ../registries)

from harness import GO_PROGRAMS, expect  # noqa: E402

SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
OF_SERVICE = "labelSelector=kubernetes.io%2Fservice-name%3D{}"


class ApiServer(Part):
    """An API server, whose data are those of `etcd`, and the folder of a service account, as a pod has it."""

    # Two seconds where nothing else runs.
    start_s = 60

    def __init__(self, etcd, cached=True):
        super().__init__("kube-apiserver")
        self.etcd, self.cached = etcd, cached
        self.port, self.token = free_port(), "right"
        self.account = Path(self.folder, "account")

    def start(self):
        super().start()
        self.account.mkdir(exist_ok=True)
        shutil.copy(f"{self.folder}/certs/apiserver.crt", self.account / "ca.crt")
        self.write_token(self.token)

    def write_token(self, token):
        """In place of the one before at once, as the kubelet does."""
        new = self.account / "token.new"
        new.write_text(token + "\n")
        new.rename(self.account / "token")

    def url(self, port=""):
        """The service `echo`, by its port of this name."""
        return f"k8s://https://127.0.0.1:{self.port}/default/echo{port and ':' + port}"

    def command(self):
        folder = self.folder
        Path(folder, "tokens.csv").write_text(f'{self.token},admin,1,"system:masters"\n')
        key = Path(folder, "account.key")
        if not key.exists():
            subprocess.run(["openssl", "genrsa", "-out", str(key), "2048"], check=True, capture_output=True)
        return [
            str(GO_PROGRAMS / "kube-apiserver"), f"--etcd-servers=http://127.0.0.1:{self.etcd.client}", "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1", f"--secure-port={self.port}", f"--cert-dir={folder}/certs",
            f"--token-auth-file={folder}/tokens.csv", "--authorization-mode=AlwaysAllow", "--service-cluster-ip-range=10.0.0.0/24",
            "--endpoint-reconciler-type=none", "--disable-admission-plugins=ServiceAccount",
            "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={key}",
            f"--service-account-signing-key-file={key}", f"--watch-cache={str(self.cached).lower()}",
        ]

    def is_up(self):
        return self.ask("GET", "/readyz")[0] == 200

    def trust(self):
        return ssl.create_default_context(cafile=f"{self.folder}/certs/apiserver.crt")

    def ask(self, verb, path, body=None, token=None):
        """Status, fields and body of an answer, whatever it is."""
        kind = "application/merge-patch+json" if verb == "PATCH" else "application/json"
        request = urllib.request.Request(
            f"https://127.0.0.1:{self.port}{path}", json.dumps(body).encode() if body else None, method=verb,
            headers={"Authorization": f"Bearer {token or self.token}", "Content-Type": kind, "Accept": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, context=self.trust(), timeout=SEEN_S) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def change(self, verb, path, body=None):
        """The object as it is after a change; of one that was deleted, as it was."""
        status, _, text = self.ask(verb, SLICES + path, body)
        expect(status in (200, 201), f"{verb} {path} is answered with {status}: {text[:300]}")
        return json.loads(text)

    def create(self, name, *addresses, service="echo", port=8000, kind="IPv4"):
        return self.change("POST", "", {
            "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": kind,
            "metadata": {"name": name, "labels": {"kubernetes.io/service-name": service}},
            "endpoints": [{"addresses": [address]} for address in addresses],
            "ports": [{"name": "http", "port": port}, {"name": "other", "port": port + 1}],
        })

    def patch(self, name, body):
        return self.change("PATCH", f"/{name}", body)

    def relabel(self, name, service):
        return self.patch(name, {"metadata": {"labels": {"kubernetes.io/service-name": service}}})

    def delete(self, name):
        return self.change("DELETE", f"/{name}")

    def compact(self, version=None):
        """The history before this version, or before now, is gone from etcd."""
        if version is None:
            version = int(json.loads(self.ask("GET", SLICES)[2])["metadata"]["resourceVersion"])
        self.etcd.call("kv/compaction", revision=version, physical=True)


@contextlib.contextmanager
def cluster(cached=True):
    """An API server, stopped before its etcd is."""
    with Etcd() as etcd, ApiServer(etcd, cached) as api:
        yield api
