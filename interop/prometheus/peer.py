"""Prometheus 2.42 and its promtool (Debian) read /metrics of our server."""

import contextlib
import json
import subprocess
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

from harness import eventually, expect, grpc_cases, same, tool

NEEDS = [tool("prometheus"), tool("promtool")]
# Prometheus begins to scrape a target up to this long after its start, and each second from then on.
SEEN_S = 30
CALLED = 'polywire_server_call_duration_seconds_count{service="example.EchoService",method="Echo"}'


def run(suite):
    with suite.serve() as server:
        call(suite, server)
        with suite.check("promtool: names, units, types and help texts follow the conventions"):
            text = get(server, "text/plain")
            checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=30)
            same((0, ""), (checked.returncode, checked.stdout + checked.stderr))
            expect(f"{CALLED} 3\n" in text, "the calls are not in it")
        with suite.check("text and OpenMetrics say the same"):
            same(series(get(server, "text/plain")), series(get(server, "application/openmetrics-text; version=1.0.0")))
        with prometheus(server) as query:
            check_scraped(suite, server, query)


def check_scraped(suite, server, query):
    with suite.check("scrapes OpenMetrics, and takes every series"):
        expect(eventually(lambda: query("up") == [1.0], SEEN_S), f"up is {query('up')}")
        expect(eventually(lambda: query("scrape_samples_scraped") not in ([], [0.0]), SEEN_S), "nothing was scraped")
        same(query("scrape_samples_scraped"), query("scrape_samples_post_metric_relabeling"))
        expect(query("scrape_samples_scraped")[0] >= len(series(get(server, "text/plain"))), "samples were left out")
    with suite.check("counts each call"):
        before = query(CALLED)[0]
        for _ in range(5):
            call(suite, server)
        expect(eventually(lambda: query(CALLED) == [before + 15], SEEN_S), f"{query(CALLED)} after {before} and 15 calls")
    with suite.check("a percentile of the histogram is a time that a call can take"):
        quantile = f"histogram_quantile(0.99, {CALLED.replace('_count', '_bucket')})"
        expect(0 < query(quantile)[0] < 10, f"{query(quantile)}")


def call(suite, server):
    """Three calls."""
    for _ in range(3):
        suite.call(server.address, "baidu_std", "example.EchoService/Echo", {"message": "hi"})


def get(server, accept):
    request = urllib.request.Request(f"http://{server.address}/metrics", headers={"accept": accept})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode()


def series(text):
    """Names and labels of all samples. Bounds are written `5.0` by one format and `5` by the other."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return sorted(line.rsplit(" ", 1)[0].replace('.0"}', '"}') for line in lines)


@contextlib.contextmanager
def prometheus(server):
    with tempfile.TemporaryDirectory(prefix="polywire-prometheus-") as folder:
        config = Path(folder, "prometheus.yml")
        target = {"targets": [server.address]}
        jobs = [{"job_name": "polywire", "static_configs": [target]}]
        config.write_text(json.dumps({"global": {"scrape_interval": "1s", "scrape_timeout": "1s"}, "scrape_configs": jobs}))
        port = grpc_cases.free_port()
        command = ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/data", f"--web.listen-address=127.0.0.1:{port}"]
        log = Path(folder, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, cwd=folder)

        def query(expression):
            """The values of the series that it finds."""
            url = f"http://127.0.0.1:{port}/api/v1/query?query={urllib.parse.quote(expression)}"
            try:
                with urllib.request.urlopen(url, timeout=5) as answer:
                    found = json.load(answer)["data"]["result"]
            except OSError:
                return []
            return [float(one["value"][1]) for one in found]

        try:
            yield query
        finally:
            process.kill()
            process.wait()
