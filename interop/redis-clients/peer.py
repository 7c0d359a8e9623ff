"""ioredis, go-redis, jedis and lettuce against our store: what each asks at connect, commands, pipelines, transactions."""

from pathlib import Path

from harness import GO_PROGRAMS, go_tool, java, tool

HERE = Path(__file__).resolve().parent
PROGRAM = GO_PROGRAMS / "redis"


def packages():
    return None if (HERE / "node_modules/ioredis").is_dir() else "ioredis is not installed (interop/install)"


NEEDS = [tool("node"), packages, go_tool("redis"), java.built]


def run(suite):
    with suite.serve() as server:
        suite.relay(["node", str(HERE / "ioredis.js"), server.address], timeout_s=60)
        suite.relay([PROGRAM, server.address], timeout_s=60)
        suite.relay(java.command("redis", "RedisClients", server.address), timeout_s=120)
