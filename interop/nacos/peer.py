"""rnacos 0.8.8, a server of Nacos' interface, under our source and registration."""

import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "registries")]

import instances
import under_load
from parts import Nacos

from harness import our_programs, tool

NEEDS = [tool("rnacos", "interop/install rnacos, which takes minutes"), our_programs]


def run(suite):
    # Most of the time is waiting, so all of them wait together.
    parts = {
        "under load": lambda: under_load.run(suite, Nacos(), read_anew_s=60),
        "instances": lambda: instances.run(suite),
        "users": lambda: instances.users(suite),
    }
    threads = [threading.Thread(target=checked, args=(suite, *part)) for part in parts.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def checked(suite, name, part):
    with suite.check_only_failure(f"{name}: runs to its end"):
        part()
