"""Prometheus 2.42 and its promtool (Debian) read /metrics of our server."""

import contextlib
import json
import re
import subprocess
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

import grpc
from harness import call_metrics, eventually, expect, grpc_cases, same, tool

# The alerts and the dashboard that users take.
FILES = Path(__file__).resolve().parents[2] / "docs" / "prometheus"

NEEDS = [tool("prometheus"), tool("promtool")]
# Prometheus begins to scrape a target up to this long after its start, and each second from then on.
SEEN_S = 30
CALLED = 'rpc_server_call_duration_seconds_count{rpc_system_name="baidu_std",rpc_method="example.EchoService/Echo",rpc_status_code="OK"}'

# What dashboards ask that know nothing of us: for gRPC's libraries with their plugins for OpenTelemetry, and for OpenTelemetry's conventions.
FOREIGN = [
    'sum by (grpc_method, grpc_status) (rate(grpc_server_call_duration_seconds_count[10s]))',
    'sum by (grpc_method) (rate(grpc_server_call_started_total[10s]))',
    'histogram_quantile(0.99, sum by (le, grpc_method) (rate(grpc_server_call_duration_seconds_bucket[10s])))',
    'sum by (grpc_method) (rate(grpc_server_call_duration_seconds_sum[10s])) / sum by (grpc_method) (rate(grpc_server_call_duration_seconds_count[10s]))',
    'sum(rate(grpc_server_call_duration_seconds_count{grpc_status!="OK"}[10s])) / sum(rate(grpc_server_call_duration_seconds_count[10s]))',
    'histogram_quantile(0.5, sum by (le) (rate(grpc_server_call_rcvd_total_compressed_message_size_bytes_bucket[10s])))',
    'sum by (grpc_method) (rate(grpc_server_call_sent_total_compressed_message_size_bytes_sum[10s]))',
    'sum(rate(grpc_server_call_duration_seconds_bucket{le="0.1"}[10s])) / sum(rate(grpc_server_call_duration_seconds_count[10s]))',
    'sum by (rpc_method, rpc_status_code) (rate(rpc_server_call_duration_seconds_count[10s]))',
    'histogram_quantile(0.95, sum by (le, rpc_method) (rate(rpc_server_call_duration_seconds_bucket{rpc_system_name="grpc"}[10s])))',
    'sum by (error_type) (rate(rpc_server_call_duration_seconds_count{error_type!=""}[10s]))',
    'sum(rate(rpc_server_call_duration_seconds_bucket{le="0.25"}[10s])) / sum(rate(rpc_server_call_duration_seconds_count[10s]))',
    # of the program's own channels
    'sum by (rpc_method, server_address) (rate(rpc_client_call_duration_seconds_count[10s]))',
    'histogram_quantile(0.99, sum by (le, rpc_method) (rate(rpc_client_call_duration_seconds_bucket[10s])))',
]


def run(suite):
    with suite.serve("--grpc-metrics") as server:
        with suite.check("nothing of what was not called"):
            called = [line for line in get(server, "text/plain").splitlines() if re.match("(rpc_server_call|rpc_client|grpc)_", line)]
            same([], called)
        call(suite, server)
        with suite.check("promtool: names, units, types and help texts follow the conventions"):
            text = get(server, "text/plain")
            checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=30)
            same((0, ""), (checked.returncode, checked.stdout + checked.stderr))
            expect(f"{CALLED} 3\n" in text, "the calls are not in it")
        with suite.check("metrics of calls have the names and labels of OpenTelemetry's and gRPC's conventions"):
            call_metrics.check_text(families(get(server, "text/plain")))
        with suite.check("text and OpenMetrics say the same"):
            same(series(get(server, "text/plain")), series(get(server, "application/openmetrics-text; version=1.0.0")))
        with prometheus(server.address) as (query, _):
            check_scraped(suite, server, query)
        check_rules_and_panels(suite, server)


def check_rules_and_panels(suite, server):
    """The alerts and the dashboard of docs/prometheus, beside a server and a program with channels whose servers fail."""
    with suite.check("promtool: the alerts are rules, and their tests pass"):
        for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts.test.yml"]):
            ran = subprocess.run(["promtool", *command], cwd=FILES, capture_output=True, text=True, timeout=60)
            expect(ran.returncode == 0, ran.stdout + ran.stderr)
    address = f"127.0.0.1:{grpc_cases.free_port()}"
    demo = suite.background([suite.program, "demo", "--cluster", "3", "--listen", address, "--duration", "120"])
    try:
        with gateway(suite, server) as pages, prometheus(server.address, address, pages) as (query, url):
            rated = "rate(polywire_client_tries_total[10s])"
            with suite.check("a program with channels is scraped"):
                expect(eventually(lambda: query(rated) and query("rate(process_cpu_seconds_total[10s])"), SEEN_S), f"{rated} finds nothing")
            check_foreign(suite, server, query)
            with suite.check("each panel of the dashboard finds series"):
                panels = json.loads(Path(FILES, "dashboard.json").read_text())["panels"]
                for panel in panels:
                    for target in panel.get("targets", []):
                        expression = target["expr"].replace("$__rate_interval", "10s").replace("$job", ".*").replace("$instance", ".*")
                        call(suite, server)
                        expect(eventually(lambda: asked(url, expression), SEEN_S), f"{panel['title']}: nothing for {expression}")
            with suite.check("each alert is a query that Prometheus takes, of metrics that are there"):
                for expression in alerts():
                    asked(url, expression)
                    for metric in set(re.findall(r"\b(?:polywire|process|rpc_server)_[a-z_]+", expression)):
                        expect(eventually(lambda: query(f"count({metric})"), SEEN_S), f"no series is called {metric}")
    finally:
        demo.terminate()
        demo.wait(30)


@contextlib.contextmanager
def gateway(suite, server):
    """A gateway with a shadow, which has passed on a call. Yields the address of its pages."""
    listen, admin = (f"127.0.0.1:{grpc_cases.free_port()}" for _ in range(2))
    with tempfile.TemporaryDirectory(prefix="polywire-gateway-") as folder:
        file = Path(folder, "gateway.toml")
        file.write_text(f"""
            listeners.main = {{ listen = "{listen}" }}
            admin.listen = "{admin}"
            clusters.echo = {{ protocol = "baidu_std", servers = "{server.address}" }}
            [[routes]]
            match = "*"
            to = "echo"
            shadow = {{ to = "echo", methods = ["example.EchoService/Echo"], compare = true }}
            """)
        process = suite.background([suite.program, "gateway", file])
        try:
            ask = [suite.program, "call", "-s", listen, "example.EchoService/Echo", "-d", '{"message":"hi"}']
            called = lambda: subprocess.run(ask, capture_output=True, timeout=30).returncode == 0
            expect(eventually(called, SEEN_S), "the gateway passes nothing on")
            yield admin
        finally:
            process.terminate()
            process.wait(30)


def asked(url, expression):
    """What promtool prints for a query."""
    ran = subprocess.run(["promtool", "query", "instant", url, expression], capture_output=True, text=True, timeout=30)
    expect(ran.returncode == 0, f"{expression}: {ran.stdout}{ran.stderr}")
    return ran.stdout.strip()


def alerts():
    """The expressions of alerts.yml: those on one line, and blocks."""
    text = Path(FILES, "alerts.yml").read_text()
    found = re.findall(r"^ +expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)", text, re.MULTILINE)
    expressions = [block or line for block, line in found]
    same(text.count("- alert:"), len(expressions))
    return expressions


def check_foreign(suite, server, query):
    """Dashboards that were made for others find what they ask for."""
    for expression in FOREIGN:
        with suite.check(f"a foreign dashboard: {expression}"):
            expect(eventually(lambda: calls_by_grpc(server) or query(expression), SEEN_S), "nothing")


def calls_by_grpc(server):
    """Calls by gRPC that succeed, and some for a method that is not there."""
    with grpc.insecure_channel(server.address) as channel:
        for method in ("Echo", "None") * 3:
            with contextlib.suppress(grpc.RpcError):
                channel.unary_unary(f"/example.EchoService/{method}")(b"\x0a\x02hi", timeout=10)


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


def families(text):
    """The labels of all series by name, without the suffixes of histograms."""
    found = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? ", text, re.MULTILINE):
        name = re.sub("_(bucket|sum|count)$", "", name)
        found.setdefault(name, []).append(dict(re.findall(r'(\w+)="([^"]*)"', labels)))
    return found


def series(text):
    """Names and labels of all samples. Bounds are written `5.0` by one format and `5` by the other."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return sorted(line.rsplit(" ", 1)[0].replace('.0"}', '"}') for line in lines)


@contextlib.contextmanager
def prometheus(*addresses):
    with tempfile.TemporaryDirectory(prefix="polywire-prometheus-") as folder:
        config = Path(folder, "prometheus.yml")
        target = {"targets": addresses}
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
            yield query, f"http://127.0.0.1:{port}"
        finally:
            process.kill()
            process.wait()
