"""Chromium: the console of a server as an operator uses it, and as an attacker would like to."""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote, urlencode

from harness import expect, our_programs, same, tool
from harness.browser import Browser

sys.path.insert(0, str(Path(__file__).parent))

from login import login  # noqa: E402
from on_call import questions  # noqa: E402

NEEDS = [tool("chromium"), tool("go"), tool("nginx"), our_programs]
HOSTILE = "</title></script><script>document.title='owned';alert(1)</script>\"'><img src=x onerror=alert(2)>"
GREET = "helloworld.Greeter/SayHello"
LOADED = "example.EchoService/Echo"


def run(suite):
    with suite.serve() as server, Browser() as browser:
        site = f"http://{server.address}/"
        for check in (every_page, light_and_dark, phone, search_sort_filter, keyboard, live, plot):
            check(suite, browser, site, server)
        for check in (flag_by_form, traces, try_it, hostile, profile):
            check(suite, browser, site, server)
    restart(suite)
    login(suite)
    questions(suite)


def bar(tab):
    """The pages in the bar, by their own links."""
    return tab.value("[...document.querySelectorAll('nav a')].map(a=>a.href)")


def every_page(suite, browser, site, server):
    tab = browser.tab()
    with suite.check("every page opens in a browser, without a message or a violation of its policy"):
        found = bar(tab.open(site))
        expect(len(found) >= 7, f"the bar has {found}")
        pages = [*found, *(site + name for name in ("version", "health", "metrics", "token", "index"))]
        for page in pages:
            tab.open(page)
            same([], tab.complaints, page)
    with suite.check("nothing is fetched from elsewhere"):
        foreign = [address for address in tab.fetched if not address.startswith(site) and address != "data:,"]
        same([], foreign, "addresses")
    with suite.check("a page is under 30 KB with its style sheet and its script"):
        for page in bar(tab.open(site)):
            length = len(fetched(page, browser=True)[1])
            expect(length < 30_000 or "q=" in page, f"{page} has {length} bytes")


def light_and_dark(suite, browser, site, _):
    with suite.check("every text stands out from what is behind it by 4.5 to 1, in light and in dark"):
        for dark in (False, True):
            tab = browser.tab(dark=dark)
            for page in bar(tab.open(site)):
                same([], tab.open(page).value(FAINT), f"{page} {'dark' if dark else 'light'}")
    with suite.check("the theme is turned by a button and by a key, and kept"):
        tab = browser.tab(dark=False).open(site + "status")
        paper = "getComputedStyle(document.body).backgroundColor"
        light = tab.value(paper)
        tab.click("#theme")
        dark = tab.value(paper)
        expect(light != dark, f"both are {light}")
        same(dark, tab.open(site + "flags").value(paper), "the next page")
        tab.key("t")
        same(light, tab.value(paper), "after the key")


# Texts whose contrast with their background is under 4.5; WCAG 2.2, 1.4.3.
FAINT = """(()=>{
const rgb=c=>c.match(/[\\d.]+/g).map(Number);
const light=c=>{const[r,g,b]=rgb(c).map(v=>{v/=255;return v<=.04045?v/12.92:((v+.055)/1.055)**2.4});return.2126*r+.7152*g+.0722*b};
const behind=e=>{for(;e;e=e.parentElement){const c=getComputedStyle(e).backgroundColor;if(rgb(c)[3]!==0)return c}return"rgb(255,255,255)"};
const found=new Set();
for(const e of document.querySelectorAll("body *")){
 if(![...e.childNodes].some(n=>n.nodeType===3&&n.data.trim())||/SCRIPT|STYLE|OPTION/.test(e.tagName))continue;
 const s=getComputedStyle(e);if(s.visibility==="hidden"||!e.getClientRects().length)continue;
 const a=light(s.color),b=light(behind(e)),ratio=(Math.max(a,b)+.05)/(Math.min(a,b)+.05);
 if(ratio<4.5)found.add(`${e.tagName} ${e.textContent.slice(0,20)} ${ratio.toFixed(2)}`)}
return[...found]})()"""


def phone(suite, browser, site, _):
    tab = browser.tab(width=390, height=844)
    with suite.check("nothing but tables and the bar scrolls sideways at 390 px"):
        for page in bar(tab.open(site)):
            wide = tab.open(page).value("[document.documentElement.scrollWidth,document.body.scrollWidth,innerWidth]")
            expect(max(wide) <= 390, f"{page}: {wide}")
    with suite.check("what is touched is at least 24 px high and wide"):
        for page in bar(tab.open(site)):
            small = tab.open(page).value(
                "[...document.querySelectorAll('nav a,button,select,input:not([type=hidden])')].filter(e=>{"
                "const r=e.getBoundingClientRect();return e.getClientRects().length&&(r.height<24||r.width<24)}).map(e=>e.outerHTML)"
            )
            same([], small, page)


def search_sort_filter(suite, browser, site, _):
    tab = browser.tab()
    rows = "[...document.querySelectorAll('tbody tr')].map(r=>r.cells[0].innerText.trim())"
    with suite.check("a variable is found by the field that / leads to"):
        tab.open(site + "status").key("/")
        same("find", tab.value("document.activeElement.id"), "focus")
        tab.type("process_uptime")
        with tab.leaving():
            tab.key("Enter")
        same(["process_uptime"], tab.value(rows), "rows")
        expect("q=process_uptime" in tab.value("location.search"), "the address has the search")
    with suite.check("what is not found is said, not shown as an empty page"):
        tab.open(site + "vars?q=no_such_thing")
        expect("No variable" in tab.value("document.body.innerText") or tab.value("!!document.querySelector('main p')"), "no sentence")
    with suite.check("a click on a heading sorts, a second one turns the order, and the address keeps both"):
        tab.open(site + "status")
        heading = "th:first-child a"
        with tab.leaving():
            tab.click(heading)
        names = tab.value(rows)
        same(sorted(names), names, "rows")
        same("ascending", tab.value("document.querySelector('th').getAttribute('aria-sort')"), "aria-sort")
        with tab.leaving():
            tab.click(heading)
        same(sorted(names, reverse=True), tab.value(rows), "rows turned")
        same(sorted(names, reverse=True), tab.open(tab.value("location.href")).value(rows), "the address opened again")
    with suite.check("a filter in the address leaves the rows that have the text"):
        found = tab.open(site + "status?q=echo").value(rows)
        expect(found and all("echo" in name.lower() for name in found), f"rows {found}")


def keyboard(suite, browser, site, _):
    tab = browser.tab()
    with suite.check("keys lead to pages, walk rows and open them"):
        tab.open(site)
        tab.key("g")
        with tab.leaving():
            tab.key("f")
        expect(tab.value("location.pathname").endswith("/flags"), tab.value("location.pathname"))
        tab.key("j")
        tab.key("j")
        same(1, tab.value("[...document.querySelectorAll('tbody tr')].findIndex(r=>r.classList.contains('on'))"), "row")
        with tab.leaving():
            tab.key("Enter")
        expect("/flags/" in tab.value("location.pathname"), tab.value("location.pathname"))
        tab.key("?")
        expect("/ find" in tab.value("document.getElementById('say').innerText"), "no help")
    with suite.check("keys are letters in a field"):
        tab.open(site + "status").key("/")
        tab.key("g")
        tab.key("t")
        expect(tab.value("location.pathname").endswith("/status"), "it went away")
        same("gt", tab.value("document.getElementById('find').value"), "the field")
    with suite.check("the first stop of the tabulator leads past the bar, and what has the focus is outlined"):
        tab.open(site + "status").key("Tab")
        same("#main", tab.value("document.activeElement.getAttribute('href')"), "first stop")
        expect(tab.value("getComputedStyle(document.activeElement).outlineStyle") != "none", "no outline")


def cell(method, column):
    """The shown text in the row of a method, by the name of its column."""
    return (
        "(()=>{const t=document.querySelector('table[data-t=methods]'),"
        f"at=[...t.tHead.rows[0].cells].findIndex(c=>c.innerText.replace(/[▾▴]/g,'').trim()==={json.dumps(column)}),"
        f"r=[...t.tBodies[0].rows].find(r=>r.dataset.r==={json.dumps(method)});return r&&at>=0?r.cells[at].innerText.trim():''}})()"
    )


def live(suite, browser, site, server):
    tab = browser.tab().open(site + "status")
    total = cell(GREET, "since start")
    with suite.check("a figure follows a load that steps, without a reload"):
        tab.value("window.same=1")
        before = tab.value(total)
        for step in range(3):
            for _ in range(5):
                suite.call(server.address, "baidu_std", GREET, {"name": "live"})
            shown = str(5 * (step + 1))
            tab.until(f"{total}==={json.dumps(shown)}", 20)
        expect(tab.value("window.same===1") or before == "", "the page was loaded again")
    with suite.check("a pause stands still and asks nothing, and goes on where the server is"):
        tab.key("p")
        tab.until("document.getElementById('live').innerText==='paused'")
        asked, shown = len(tab.fetched), tab.value(total)
        for _ in range(5):
            suite.call(server.address, "baidu_std", GREET, {"name": "paused"})
        time.sleep(2.5)  # two turns of a page that would ask
        same((asked, shown), (len(tab.fetched), tab.value(total)), "requests and figure while paused")
        tab.key("p")
        tab.until(f"{total}==='20'", 20)


def plot(suite, browser, site, server):
    tab = browser.tab()
    name = "rpc_server_*_say_hello_count"
    with suite.check("a plot has points that follow the load, and says them in words"):
        shown = json.loads(fetched(site + "vars/" + name + "?json")[1])
        variable = shown["tab"]["vars"]["rows"][0][0]
        tab.open(site + "vars/" + variable)
        drawn = "document.querySelector('figure svg path').getAttribute('d')"
        expect(tab.value(drawn).count("L") >= 10, tab.value(drawn))
        before = tab.value(drawn)
        for _ in range(5):
            suite.call(server.address, "baidu_std", GREET, {"name": "plotted"})
        tab.until(f"{drawn}!=={json.dumps(before)}", 20)
        words = tab.value("document.querySelector('figure svg').getAttribute('aria-label')")
        expect(re.search(r"now \d+.*most \d+", words), words)


def fetched(address, data=None, browser=False, **fields):
    """Status and text of an answer to a client that is no browser, or that looks like one."""
    headers = {name.replace("_", "-"): value for name, value in fields.items()}
    if browser:
        headers |= {"accept": "text/html", "user-agent": "Mozilla/5.0"}
    request = urllib.request.Request(address, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read().decode()


def profile(suite, browser, site, server):
    press = ("press", "--server", server.address, "--protocol", "baidu_std", "--method", LOADED, "--input", '{"message":"hello"}')
    load = suite.background([suite.program, *press, "--concurrency", "4", "--duration", "120"])
    try:
        with suite.check("Go's pprof reads a profile, with the names of functions"), tempfile.TemporaryDirectory() as folder:
            command = ["go", "tool", "pprof", "-top", "-nodecount=500", site + "pprof/profile?seconds=2"]
            ran = subprocess.run(command, env={**os.environ, "PPROF_TMPDIR": folder}, capture_output=True, text=True, timeout=120)
            same(0, ran.returncode, ran.stderr)
            expect("flat%" in ran.stdout and "Type: cpu" in ran.stdout, ran.stdout[:500])
            expect(re.search(r"\bpolywire_engine::", ran.stdout), ran.stdout[:2000])
        with suite.check("it is told who holds the memory of the program"):
            heap = fetched(site + "hotspots/heap")[1]
            expect(re.search(r"inuse_space_bytes: [1-9]", heap), heap[:500])
        tab = browser.tab()
        with suite.check("the button takes a profile, and its flame graph opens by a click, by keys and by a word"):
            fill(tab.open(site + "hotspots"), "seconds", "1")
            with tab.leaving():
                tab.click("form.a button")
            boxes = "[...document.querySelectorAll('.fl svg svg')].filter(e=>e.style.display!=='none')"
            # Half a page has fewer boxes.
            tab.until(f"document.readyState==='complete'&&{boxes}.length>10", 60)
            all_of_it = tab.value(f"{boxes}.length")
            deep = f"{boxes}.reverse().find(e=>parseFloat(e.getAttribute('width'))>2)"
            tab.value(f"{deep}.dispatchEvent(new MouseEvent('click',{{bubbles:true}}))")
            expect(tab.value(f"{boxes}.length") < all_of_it, "a click shows as much as before")
            tab.click(".fl button")
            same(all_of_it, tab.value(f"{boxes}.length"), "boxes after going back")
            tab.value("(()=>{const e=document.querySelector('.fl input');e.value='polywire';e.dispatchEvent(new Event('input'))})()")
            tab.until("document.querySelector('.fl [role=status]').innerText.includes('% matched')")
            same([], tab.complaints, "messages of the page")
    finally:
        load.kill()
        load.wait()


def flag_by_form(suite, browser, site, _):
    flag = f"max_concurrency/{LOADED}"
    value = lambda: json.loads(fetched(f"{site}flags/{flag}?json")[1])["tab"]["flags"]["rows"][0][3]  # noqa: E731
    for scripts in (True, False):
        tab = browser.tab(scripts=scripts)
        with suite.check(f"a flag is changed by its form {'with' if scripts else 'without'} scripts"):
            wanted = "77" if scripts else "unlimited"
            tab.open(f"{site}flags/{flag}")
            fill(tab, "value", wanted)
            with tab.leaving():
                tab.click("form.a button")
            same(wanted, value(), "the flag")
            expect(f"→ {wanted}" in tab.value("document.querySelector('main').innerText"), "the page does not say so")
    before = value()
    tab = browser.tab()
    with suite.check("a wrong value is refused in words, and changes nothing"):
        tab.open(f"{site}flags/{flag}")
        fill(tab, "value", "many")
        with tab.leaving():
            tab.click("form.a button")
        expect("write a number" in tab.value("document.body.innerText"), tab.value("document.body.innerText"))
        same(before, value(), "the flag")
    with suite.check("a form with another token is refused, and changes nothing"):
        tab.open(f"{site}flags/{flag}").value("document.querySelector('[name=token]').value='0'.repeat(32)")
        fill(tab, "value", "5")
        with tab.leaving():
            tab.click("form.a button")
        expect("token" in tab.value("document.body.innerText"), tab.value("document.body.innerText"))
        same(before, value(), "the flag")
    with suite.check("an address that is opened changes nothing"):
        query = urlencode({"name": flag, "value": "5", "setvalue": "5", "token": fetched(site + "token")[1]})
        for path in (f"flags/{flag}?{query}", f"flags?{query}", "rpcz/enable", f"rpcz/enable?{query}"):
            tab.open(site + path)
        same(before, value(), "the flag")


def fill(tab, name, text):
    tab.value(f"(()=>{{const e=document.querySelector('main form.a [name={json.dumps(name)}]');e.value={json.dumps(text)}}})()")


def traces(suite, browser, site, server):
    tab = browser.tab().open(site + "rpcz")
    with suite.check("recording is turned on by a button, and calls are listed"):
        with tab.leaving():
            tab.click("form.a[action$=enable] button")
        for _ in range(3):
            suite.call(server.address, "baidu_std", GREET, {"name": "traced"})
        listed = f"[...document.querySelectorAll('table[data-t=spans] tbody tr')].filter(r=>r.innerText.includes({json.dumps('SayHello')})).length"
        expect(tab.open(site + "rpcz").value(listed) >= 1, "no span of the calls")
    with suite.check("a span in the list leads to the tree of its trace, and that to the list"):
        with tab.leaving():
            tab.click("table[data-t=spans] tbody a")
        expect(re.search(r"/rpcz/[0-9a-f]{32}", tab.value("location.pathname")), tab.value("location.pathname"))
        expect("SayHello" in tab.value("document.querySelector('table[data-t=tree]').innerText"), "no tree")
        with tab.leaving():
            tab.click("nav a[aria-current]")
        same("/rpcz", tab.value("location.pathname"), "back")
    with suite.check("an id that is none, and one that nobody has, are answered in words"):
        for path in ("rpcz/xyz", "rpcz/" + "0" * 31 + "1"):
            expect(len(tab.open(site + path).value("document.body.innerText")) > 10, path)


def try_it(suite, browser, site, server):
    tab = browser.tab()
    with suite.check("a method is called by a form made from its message, and the answer is shown"):
        tab.open(site + "try")
        with tab.leaving():
            tab.click(f"tr[data-r='{GREET}'] a")
        fill(tab, ".name", "<b>Ada</b>")
        with tab.leaving():
            tab.click("form.a button")
        text = tab.value("document.querySelector('main').innerText")
        expect('"message": "Hello <b>Ada</b>"' in text and "OK" in text, text)
        same(0, tab.value("document.querySelectorAll('main b').length"), "elements from the answer")
    with suite.check("the same by JSON without scripts"):
        plain = browser.tab(scripts=False).open(site + "try/" + GREET)
        fill(plain, "json", '{"name": "JSON"}')
        with plain.leaving():
            plain.click("form.a:last-of-type button")
        expect("Hello JSON" in plain.value("document.querySelector('main').innerText"), "no answer")
    with suite.check("of a stream the first messages are shown, and the call is given up"):
        tab.open(site + "try/example.StreamService/Repeat")
        for name, value in ((".message", "again"), (".count", "1000000"), ("messages", "3")):
            fill(tab, name, value)
        with tab.leaving():
            tab.click("form.a button")
        text = tab.value("document.querySelector('main').innerText")
        same(3, text.count('"again"'), "messages")
        expect("The stream went on" in text, text)
    with suite.check("what the method refuses is shown with its code, and the fields stay"):
        tab.open(site + "try/example.StreamService/Repeat")
        fill(tab, ".count", "many")
        with tab.leaving():
            tab.click("form.a button")
        expect("INVALID_ARGUMENT" in tab.value("document.querySelector('main').innerText"), "no code")
        same("many", tab.value("document.querySelector('[name=\".count\"]').value"), "the field")
    with suite.check("its pages say nothing on the console of the browser"):
        same([], [one for one in tab.complaints if "Failed to load resource" not in one], "complaints")


def hostile(suite, browser, site, server):
    """Whatever peers choose is shown as text."""
    host, port = server.host, server.port
    for path in ("/" + quote(HOSTILE), "/helloworld.Greeter/" + quote(HOSTILE, safe=""), f"/{GREET}?{quote(HOSTILE)}"):
        connection = http.client.HTTPConnection(host, port, timeout=30)
        printable = HOSTILE.replace("\n", "")
        fields = {"user-agent": printable, "x-evil": printable, "content-type": "application/json", "traceparent": printable}
        connection.request("POST", path, json.dumps({"name": HOSTILE}), fields)
        connection.getresponse().read()
        connection.close()
    tab = browser.tab()
    with suite.check("no script runs that peers, addresses and queries have brought"):
        pages = [page.removeprefix(site) for page in bar(tab.open(site))]
        evil = quote(HOSTILE, safe="")
        for page in pages:
            for address in (f"{page}?q={evil}&sort={evil}&n={evil}&after={evil}", f"{page}/{evil}", f"{page}?{evil}#{evil}"):
                tab.open(site + address)
                expect("owned" not in tab.value("document.title").split("</title>")[0].split("<")[0], f"{address}: the title")
                same(0, tab.value("document.querySelectorAll('img').length"), f"{address}: elements")
        bad = [one for one in tab.complaints if "Failed to load resource" not in one]
        same([], bad, "complaints")
    with suite.check("a page of another origin reads nothing and changes nothing"):
        # Another port of this machine is another origin, and the same site.
        with suite.serve() as other:
            tab.open(f"http://{other.address}/health")
            read = tab.value(f"fetch({json.dumps(site + 'token')}).then(r=>r.text(),()=>'kept out')")
            same("kept out", read, "the token")


def restart(suite):
    first = suite.start()
    address = first.address
    with Browser() as browser:
        tab = browser.tab().open(f"http://{address}/status")
        tab.until("document.body.dataset.seq>=0", 20)
        with suite.check("a server that is killed is said to be gone, and its figures are muted"):
            first.kill()
            tab.until("document.body.classList.contains('old')", 40)
            same("no answer", tab.value("document.getElementById('live').innerText"), "the chip")
        second = suite.start(address)
        with suite.check("when it is there again the page goes on, and says that it began anew"):
            tab.until("!document.body.classList.contains('old')", 40)
            expect("began anew" in tab.value("document.getElementById('say').innerText"), "it does not say so")
        second.stop()
