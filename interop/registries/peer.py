"""Real registries under our sources and registrations: killed, started again, stopped and emptied while servers are called."""

import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import etcd
import under_load
from parts import Consul, Etcd, Knot, ZooKeeper

from harness import go_tool, our_programs, tool

NEEDS = [tool("etcd"), go_tool("consul"), tool("java"), tool("knotd"), our_programs]


def run(suite):
    # Most of the time is waiting, so all of them wait together.
    parts = [
        ("etcd by itself", lambda: etcd.run(suite)),
        ("etcd", lambda: under_load.run(suite, Etcd())),
        ("consul", lambda: under_load.run(suite, Consul())),
        ("zookeeper", lambda: under_load.run(suite, ZooKeeper())),
        ("knot", lambda: under_load.by_hand(suite, Knot())),
    ]
    threads = [threading.Thread(target=checked, args=(suite, *part)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def checked(suite, name, part):
    with suite.check_only_failure(f"{name}: runs to its end"):
        part()
