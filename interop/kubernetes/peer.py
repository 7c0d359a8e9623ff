"""kube-apiserver: our source on it, and its answers beside those of the server that the tests of crates/integrations/registries use."""

import os
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "registries"))

import conversation
import following
from apiserver import cluster

from harness import expect, go_tool, our_programs, same, tool


def network():
    """The checks have a network of their own, for addresses that an EndpointSlice may have."""
    try:
        made = subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0
    except OSError:
        made = False
    return None if made else "no network namespace can be made (unshare --net, as root)"


NEEDS = [
    go_tool("kube-apiserver", "interop/install kubernetes, which takes minutes"), tool("etcd"), tool("openssl"), our_programs,
    tool("ip"), network,
]
# Where it is not there it is left out, in CI too.
OPTIONAL = True


def run(suite):
    # Most of the time is waiting.
    threads = [threading.Thread(target=part, args=(suite,)) for part in (answers, with_cache, without_cache)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def answers(suite):
    with suite.check("lists and watches are answered as crates/integrations/registries/tests/it/k8s/conversation.json says"):
        recorded = conversation.text(conversation.record())
        if os.environ.get("POLYWIRE_RECORD"):
            conversation.RECORDED.write_text(recorded)
        before, now = conversation.RECORDED.read_text().splitlines(), recorded.splitlines()
        same(len(before), len(now), "steps")
        different = [lines for lines in zip(before, now) if lines[0] != lines[1]]
        expect(not different, f"(recorded, now): {different[:1]}; POLYWIRE_RECORD=1 records them anew")


def with_cache(suite):
    with suite.check_only_failure("with watch cache: runs to its end"):
        following.namespace()
        with cluster(cached=True) as api:
            following.changes(suite, api)
            following.tokens(suite, api)
            following.under_load(suite, api)


def without_cache(suite):
    with suite.check_only_failure("without watch cache: runs to its end"), cluster(cached=False) as api:
        following.lost_history(suite, api)
