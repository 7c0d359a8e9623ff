"""The five questions of the person on call, each answered from the first page within two clicks.

A front server calls three stocks and has callers by name behind one address. One fault at a time is planted; the walk begins at the
front's first page, and what is asserted on is the text that is seen.
"""

import contextlib
import json
import re
import urllib.error
import urllib.parse
import urllib.request

from harness import eventually, expect
from harness.browser import Browser
from harness.needs import ours

PLACE = "shop.Front/Place"
PRICE = "shop.Front/Price"
SLOW = "600ms"
# A look is a page that is loaded: a fault is seen some seconds after it was planted.
PATIENCE_S = 60


def questions(suite, pictures=None):
    """The walks. `pictures`: takes a tab and a name where a picture is wanted."""
    picture = pictures or (lambda tab, name: None)
    with Fleet(suite) as fleet, Browser() as browser:
        tab = browser.tab(width=1280, height=800)
        for walk in (who_sends, slow_below, slow_itself, why_there):
            walk(suite, fleet, tab, picture)


class Fleet:
    """Three stocks, a front, and callers."""

    def __init__(self, suite):
        self.suite = suite
        self.servers = []
        self.load = []

    def __enter__(self):
        program = ours(self.suite, "on-call")
        start = lambda *arguments: self.suite.foreign_server("on-call", [program, *arguments])  # noqa: E731
        self.stocks = [start("stock") for _ in range(3)]
        self.front = start("front", "list://" + ",".join(stock.address for stock in self.stocks))
        self.servers = [*self.stocks, self.front]
        self.site = f"http://{self.front.address}/"
        for name, method, rate in (("ada", PLACE, 120), ("bob", PRICE, 60)):
            self.call(name, method, rate)
        called = lambda: len(set(re.findall(r"(\w+)\ncount: [1-9]", text(self.site + "status")))) == 2  # noqa: E731
        expect(eventually(called, 20), "the front is not called")
        return self

    def __exit__(self, *_):
        for one in self.load:
            one.kill()
            one.wait()
        for server in self.servers:
            server.kill()

    def call(self, name, method, rate):
        """Calls a second of somebody, until the load is ended."""
        options = ("--qps", str(rate), "--duration", "600", "--concurrency", "40", "--timeout-ms", "10000")
        command = [self.suite.program, "press", "--server", self.front.address, "--protocol", "grpc", "--method", method]
        command += ["--credential", f"Bearer {name}", "--input", '{"item":"tea"}', *options]
        load = self.suite.background(command)
        self.load.append(load)
        return load

    def end(self, load):
        """Ends a load, which must not have ended by itself."""
        expect(load.poll() is None, "a load has ended")
        self.load.remove(load)
        load.kill()
        load.wait()

    @contextlib.contextmanager
    def planted(self, server, flag, value):
        """A server whose calls take longer meanwhile."""
        before = set_flag(server, flag, value)
        try:
            yield
        finally:
            set_flag(server, flag, before)


def set_flag(server, name, value):
    """Sets a flag as the page does; hands back what it was."""
    site = f"http://{server.address}/"
    token = text(site + "token")
    row = json.loads(text(f"{site}flags/{name}?json"))["tab"]["flags"]["rows"][0]
    text(site + "flags", urllib.parse.urlencode({"token": token, "name": name, "value": value}))
    return row[3]


def text(address, form=None):
    with urllib.request.urlopen(address, form and form.encode(), timeout=30) as answer:
        return answer.read().decode()


def seen(tab, selector="main"):
    """The text of a part of the page that is seen."""
    return tab.value(f"[...document.querySelectorAll({json.dumps(selector)})].map(e=>e.innerText).join('\\n')")


def rows(tab, table):
    """The rows of a table, as seen: cells by the words of their columns."""
    return tab.value(
        f"(()=>{{const t=document.querySelector('table[data-t={table}]');if(!t)return[];"
        "const names=[...t.tHead.rows[0].cells].map(c=>c.innerText.replace(/[▾▴]/g,'').trim());"
        "return[...t.tBodies[0].rows].map(r=>Object.fromEntries([...r.cells].map((c,n)=>[names[n],c.innerText.trim()])))})()"
    )


def until(tab, address, holds):
    """Opens the page again until it says what it should; a page is a moment."""
    last = []

    def look():
        last[:] = [holds(tab.open(address))]
        return last[0]

    expect(eventually(look, PATIENCE_S), f"{address} does not say it in {PATIENCE_S} s: {seen(tab)[:1500]}")
    return last[0]


def first_page(fleet, tab):
    """Where each walk begins."""
    tab.open(fleet.site + "status")  # the pages there are, in the bar
    return tab.open(fleet.site)


def click(tab, selector):
    with tab.leaving():
        tab.click(selector)
    return tab


def share(cell):
    """The number of a cell like `93.1 %`."""
    found = re.match(r"([\d.]+) ?%", cell or "")
    return float(found.group(1)) if found else None


def slow_below(suite, fleet, tab, picture):
    bad = fleet.stocks[1]
    with fleet.planted(bad, "reserve_time", SLOW):
        with suite.check("what is slow, and where: the server below, by the first page and one click"):
            finding = f"{bad.address} is slow"
            until(tab, fleet.site, lambda tab: finding in seen(tab, "ul.n, main"))
            place = until(tab, fleet.site, lambda tab: next((row for row in rows(tab, "methods") if row["method"].lstrip("■▲ ") == PLACE and (share(row["in calls"]) or 0) > 50), None))
            expect(place, "no method")
            click(first_page(fleet, tab), f"table[data-t=methods] a[href$='{PLACE}']")
            worst = rows(tab, "calls_to_others")[0]
            expect(worst["server"] == bad.address and share(worst["share"]) > 70, f"{worst}")
            picture(tab, "where")
        with suite.check("which server is bad, though it answers: by the first page and one click"):
            first_page(fleet, tab)
            click(tab, "main a[href*='why/']")
            slow, others = of_server(tab, bad)
            expect(len(slow) == 1 and len(others) == 2, f"{slow} {others}")
            expect("is slow" in seen(tab), seen(tab)[:1000])
            until(tab, tab.value("location.href"), lambda tab: is_slowest(tab, bad))  # as calls from before leave its median
            picture(tab, "server")


def of_server(tab, server):
    """Its row on the page of a channel, and those of others."""
    all_rows = rows(tab, "servers")
    its = [row for row in all_rows if row["server"].lstrip("■▲ ") == server.address]
    return its, [row for row in all_rows if row not in its]


def is_slowest(tab, server):
    slow, others = of_server(tab, server)
    return ms(slow[0]["p50"]) > 5 * max(ms(row["p50"]) for row in others)


def ms(cell):
    """A time like `80.3 ms` in milliseconds."""
    number, unit = re.match(r"([\d.]+) ?(µs|ms|s)", cell).groups()
    return float(number) * {"µs": 0.001, "ms": 1, "s": 1000}[unit]


def slow_itself(suite, fleet, tab, picture):
    with fleet.planted(fleet.front, "place_time", SLOW):
        with suite.check("what is slow, and where: its own code, by one click"):
            click_to = f"status/{PLACE}"
            own = until(tab, fleet.site + click_to, lambda tab: (share(fact(tab, "time/in_own_code")) or 0) > 80)
            expect(own, "its own code is not named")
            first_page(fleet, tab)
            top = [row["method"].lstrip("■▲ ") for row in rows(tab, "methods")]
            expect(top[0] == PLACE, f"the method that takes most is first: {top}")
            click(tab, f"table[data-t=methods] a[href$='{PLACE}']")
            expect(share(fact(tab, "time/in_own_code")) > 80, fact(tab, "time/in_own_code"))
            picture(tab, "own")
        with suite.check("what changed: the flag, what it was and who set it, on the first page"):
            first_page(fleet, tab)
            changed = [row for row in rows(tab, "changed") if row["what"] == "place_time"]
            expect(changed and (changed[0]["was"], changed[0]["is"]) == ("2ms", SLOW), f"{rows(tab, 'changed')}")
            expect("127.0.0.1" in changed[0]["by"], f"{changed}")
            picture(tab, "changed")


def fact(tab, name):
    return tab.value(f"document.querySelector('[data-v={json.dumps(name)}]')?.innerText")


def who_sends(suite, fleet, tab, picture):
    load = fleet.call("clerk", PRICE, 400)
    try:
        with suite.check("who sends the load, by name, where all come from one address: on the first page"):
            most = lambda tab: next(iter(rows(tab, "callers")), {"caller": ""})  # noqa: E731
            until(tab, fleet.site, lambda tab: most(tab)["caller"] == "clerk" and (share(most(tab)["share"]) or 0) > 50)
            names = [row["caller"] for row in rows(tab, "callers")]
            expect(set(names) >= {"clerk", "ada", "bob"}, f"{names}")
            expect([row["client"] for row in rows(tab, "who_sends")] == ["127.0.0.1"], f"{rows(tab, 'who_sends')}")
            tab.value("document.querySelector('table[data-t=who_sends]').scrollIntoView()")
            picture(tab, "who")
        with suite.check("all callers by name are two clicks away"):
            click(first_page(fleet, tab), "nav a[href$='connections']")
            click(tab, "main a[href$='by=caller']")
            expect("clerk" in seen(tab, "table[data-t=callers]"), seen(tab)[:500])
    finally:
        fleet.end(load)


def why_there(suite, fleet, tab, picture):
    gone = fleet.stocks[2]
    gone.kill()
    with suite.check("which server is bad, if it is dead: on the first page"):
        until(tab, fleet.site, lambda tab: f"{gone.address} is unconnected" in seen(tab))
    with suite.check("what changed: the server that was lost, on the first page"):
        until(tab, fleet.site, lambda tab: any(gone.address in row["what"] for row in rows(tab, "events")))
    with suite.check("why did a call go there: the servers that were compared, and that one was not ready, by one click"):
        not_ready = rf"{re.escape(gone.address)}: \d+ in flight[^;]*, not ready"
        alive = {stock.address for stock in fleet.stocks if stock is not gone}

        def explained(tab):
            click(first_page(fleet, tab), "main a[href*='why/']")
            return next((row for row in rows(tab, "tries") if row["server"] in alive and re.search(not_ready, row["why"])), None)

        found = until(tab, fleet.site, explained)
        expect(found["for"] == PLACE, f"the handler that made the call: {found}")
        tab.value("document.querySelector('table[data-t=tries]').scrollIntoView()")
        picture(tab, "why")
