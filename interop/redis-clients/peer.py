"""ioredis, go-redis, jedis, lettuce and redis-rs against our store: what each asks at connect, commands, pipelines, transactions."""

import os
from pathlib import Path

from harness import GO_PROGRAMS, go_tool, java, tool

HERE = Path(__file__).resolve().parent
PROGRAM = GO_PROGRAMS / "redis"
# The workspace of the peers in Rust is that of tonic.
RUST = HERE.parent / "tonic/target/debug/redis-rs"


def packages():
    return None if (HERE / "node_modules/ioredis").is_dir() else "ioredis is not installed (interop/install)"


def built():
    return None if os.access(RUST, os.X_OK) else "redis-rs is not built (interop/install)"


NEEDS = [tool("node"), packages, go_tool("redis"), java.built, built]


def run(suite):
    with suite.serve() as server:
        suite.relay(["node", str(HERE / "ioredis.js"), server.address], timeout_s=60)
        suite.relay([PROGRAM, server.address], timeout_s=60)
        suite.relay([RUST, server.address], timeout_s=120)
        suite.relay(java.command("redis", "RedisClients", server.address), timeout_s=120)
