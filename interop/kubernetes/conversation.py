"""Requests to list and watch, and what the API server answers, without what differs from run to run.

The result lies beside the tests of `crates/integrations/registries`, whose own API server has to answer in the same way.
"""

import json
import threading
from pathlib import Path

from apiserver import OF_SERVICE, SLICES, cluster

RECORDED = Path(__file__).resolve().parent.parent.parent / "crates/integrations/registries/tests/it/k8s/conversation.json"

SELECTED = OF_SERVICE.format("echo")
# `vN` is the version after N changes, `cN` the place where the Nth list that did not end goes on. The history before a version can
# be gone only without the watch cache, and there are bookmarks only with it.
EVERYWHERE = [
    ("get", "limit=500"),
    ("create", "a", "192.0.2.1"),
    ("create", "b", "192.0.2.2"),
    ("create", "x", "192.0.2.3", "another"),
    ("get", "limit=500"),
    ("get", "limit=1"),
    ("get", "limit=1&continue=c1"),
    ("get", "limit=1&continue=c2"),
    ("get", "limit=1&continue=nonsense"),
    ("unready", "a"),
    ("relabel", "b", "another"),
    ("relabel", "b", "echo"),
    ("delete", "a"),
    ("get", "limit=500"),
    ("get", "watch=1&timeoutSeconds=1&resourceVersion=v1"),
    ("get", "watch=1&timeoutSeconds=1&resourceVersion=v6"),
    ("get", "watch=1&timeoutSeconds=1&resourceVersion=v7"),
    ("get", "watch=1&timeoutSeconds=1&resourceVersion=nonsense"),
    ("wrong token", "limit=500"),
    ("wrong token", "watch=1&timeoutSeconds=1&resourceVersion=v1"),
]
CACHED = [
    *EVERYWHERE,
    # There is a bookmark two seconds before the end, if there is a newer version than when the watch began.
    ("get", "watch=1&timeoutSeconds=6&resourceVersion=v6", ("create", "y", "192.0.2.5", "another")),
    ("get", "watch=1&allowWatchBookmarks=true&timeoutSeconds=6&resourceVersion=v7"),
    ("get", "watch=1&allowWatchBookmarks=true&timeoutSeconds=6&resourceVersion=v7", ("create", "z", "192.0.2.6", "another")),
]
UNCACHED = [
    *EVERYWHERE,
    ("get", "limit=1"),
    ("compact",),
    ("get", "watch=1&timeoutSeconds=1&resourceVersion=v1"),
    ("get", "watch=1&timeoutSeconds=1&resourceVersion=v7"),
    ("create", "c", "192.0.2.4"),
    ("get", "limit=1&continue=c1"),
    ("get", "limit=1&continue=c3"),
    ("get", "limit=500"),
]


def record():
    """What the API server answers now."""
    with cluster(cached=True) as api:
        cached = Conversation(api).hold(CACHED)
    with cluster(cached=False) as api:
        uncached = Conversation(api).hold(UNCACHED)
    return {"with watch cache": cached, "without watch cache": uncached}


def text(conversations):
    """One step a line."""
    parts = [
        f"  {json.dumps(name)}: [\n" + ",\n".join(f"    {json.dumps(step)}" for step in steps) + "\n  ]"
        for name, steps in conversations.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


class Conversation:
    def __init__(self, api):
        self.api = api
        self.versions, self.places = [], []

    def hold(self, steps):
        return [self.step(*step) for step in steps]

    def step(self, what, *arguments):
        if what in ("get", "wrong token"):
            query, *during = arguments
            path = f"{SLICES}?{SELECTED}&{self.filled(query)}"
            timers = [threading.Timer(1, self.step, change) for change in during]
            for timer in timers:
                timer.start()
            status, fields, body = self.api.ask("GET", path, token="wrong" if what == "wrong token" else None)
            for timer in timers:
                timer.join()
            answer = self.normal("watch" in query, status, fields, body)
            return {"do": what, "query": query, **({"during": during[0]} if during else {}), "answer": answer}
        if what == "compact":
            # Not before now: the API server itself may have changed something else since.
            self.api.compact(self.versions[-1])
            return {"do": what}
        if what == "create":
            name, address, *service = arguments
            changed = self.api.create(name, address, service=service[0] if service else "echo")
        elif what == "unready":
            changed = self.api.patch(arguments[0], {"endpoints": [{"addresses": ["192.0.2.1"], "conditions": {"ready": False}}]})
        elif what == "relabel":
            changed = self.api.relabel(*arguments)
        else:
            self.api.delete(*arguments)
            # The answer has no version, and that of a list may be of a later change, which is not ours: a watch has it.
            events = self.api.ask("GET", f"{SLICES}?watch=1&timeoutSeconds=2&resourceVersion={self.versions[-1]}")[2]
            changed = json.loads(events.splitlines()[-1])["object"]
        self.versions.append(int(changed["metadata"]["resourceVersion"]))
        return {"do": what, "arguments": arguments}

    def filled(self, query):
        for number, version in reversed([*enumerate(self.versions, 1)]):
            query = query.replace(f"resourceVersion=v{number}", f"resourceVersion={version}")
        for number, place in enumerate(self.places, 1):
            query = query.replace(f"continue=c{number}", f"continue={place}")
        return query

    def version(self, metadata):
        """The number of changes before it."""
        version = int(metadata["resourceVersion"])
        return f"v{sum(known <= version for known in self.versions)}"

    def normal(self, watch, status, fields, body):
        answer = {"status": status, "type": fields["Content-Type"], "chunked": fields["Transfer-Encoding"] == "chunked"}
        if watch and status == 200:
            events = [self.event(json.loads(line)) for line in body.splitlines()]
            # One bookmark, or a second one that says the same: that differs from run to run.
            events = [event for number, event in enumerate(events) if number == 0 or event != events[number - 1]]
            return {**answer, "events": events}
        body = json.loads(body)
        if body["kind"] == "Status":
            return {**answer, **failure(body)}
        metadata = body["metadata"]
        if metadata.get("continue"):
            self.places.append(metadata["continue"])
        return {
            **answer, "kind": body["kind"], "version": self.version(metadata), "continues": bool(metadata.get("continue")),
            "items": [self.named(item) for item in body["items"]],
        }

    def event(self, event):
        kind, found = event["type"], event["object"]
        if kind == "ERROR":
            return {"type": kind, **failure(found)}
        named = self.version(found["metadata"]) if kind == "BOOKMARK" else self.named(found)
        return {"type": kind, "kind": found["kind"], "object": named}

    def named(self, found):
        labels = found["metadata"]["labels"]
        ready = [endpoint["conditions"].get("ready", True) for endpoint in found["endpoints"]]
        service = labels["kubernetes.io/service-name"]
        return f"{found['metadata']['name']} {self.version(found['metadata'])} {service} {'ready' if all(ready) else 'not ready'}"


def failure(status):
    return {"kind": status["kind"], "code": status["code"], "reason": status.get("reason", "")}
