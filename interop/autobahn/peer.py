"""Autobahn's conformance suite for WebSocket, in both roles."""

import asyncio
import itertools
import os
import subprocess

from harness import expect, our_programs, ours, package, same

NEEDS = [our_programs, package("kosoku", "0.1.0")]

LIMIT_S = 900
# Cases of 12 and 13 have a thousand messages each; those with more than 8 KiB are the same code, for minutes.
SIZES = range(1, 19)
LONG = [] if os.environ.get("AUTOBAHN_CASES") == "all" else range(7, 19)
# See README.md: a fault of the runner.
SHORT = (1, 2)
STUMBLES = [f"13.{group}.{size}" for group in (2, 5, 6, 7) for size in SHORT]
# Groups whose server lets its client compress only without context takeover.
ALONE = [2, 5, 6]


def without_long(groups):
    return [f"{group}.{size}" for group in groups for size in LONG]


def run(suite):
    program = ours(suite, "websocket-peer")
    groups = [f"12.{k}" for k in range(1, 6)] + [f"13.{k}" for k in range(1, 8)]
    deflated = len(groups) * (len(SIZES) - len(LONG))
    server = suite.foreign_server("websocket-peer serve", [program, "serve"])
    with suite.over("our server"):
        left_out = without_long(groups) + STUMBLES
        judge(suite, 301 + deflated - len(STUMBLES), asyncio.run(of_server(f"ws://{server.address}/autobahn", left_out)))
        with suite.check("it stops at SIGTERM"):
            same(0, server.stop(), "exit code")
    alone = [f"13.{k}" for k in ALONE]
    with suite.over("our client"):
        cases = ["*"], without_long(groups) + [f"{group}.*" for group in alone]
        judge(suite, 301 + deflated - len(alone) * (len(SIZES) - len(LONG)), asyncio.run(of_client(program, "together", *cases)))
    with suite.over("our client without context takeover"):
        groups = [f"13.{k}" for k in range(1, 8)]
        cases = ["13.*"], without_long(groups) + [f"{group}.{size}" for group in groups for size in SHORT]
        judge(suite, len(groups) * (len(SIZES) - len(LONG) - len(SHORT)), asyncio.run(of_client(program, "alone", *cases)))


async def of_server(url, left_out):
    from kosoku import FailureError, run_fuzzingclient

    try:
        return await asyncio.wait_for(run_fuzzingclient(url, exclude_cases=left_out), LIMIT_S)
    except FailureError as failed:
        return failed.results


async def of_client(program, mode, cases, left_out):
    from kosoku import FailureError, run_fuzzingserver

    async with run_fuzzingserver(cases, left_out, port=0) as server:
        client = subprocess.Popen([program, "autobahn", mode, f"{server.address}:{server.port}"], stdin=subprocess.DEVNULL)
        try:
            return await asyncio.wait_for(server.get_result(), LIMIT_S)
        except FailureError as failed:
            return failed.results
        finally:
            client.kill()
            client.wait()


def judge(suite, count, results):
    with suite.check("every case was run"):
        same(count, len(results), "cases")

    def group(result):
        parts = result.case_id.split(".")
        return ".".join(parts[: 2 if len(parts) > 2 else 1])

    for name, cases in itertools.groupby(results, group):
        with suite.check(f"cases {name}"):
            wrong = [f"{case.case_id} {case.behavior.value}, {case.behavior_close.value}: {case.result} {case.result_close}" for case in cases if not case.passed]
            expect(not wrong, "; ".join(wrong))
