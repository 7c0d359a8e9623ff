"""The login of the pages in a browser: over TLS, behind a reverse proxy, and attacked."""

import contextlib
import json
import re
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from harness import Certificates, eventually, expect, same
from harness.browser import Browser
from harness.needs import ours

TOKEN = "operators-0123456789abcdef"
LIFE_S = 12 * 3600


def login(suite):
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        files = Certificates(Path(folder))
        over_tls(suite, browser, files)
        behind_a_proxy(suite, browser, files, Path(folder))
        with guarded(suite) as server, guarded(suite) as other:
            one_server_alone(suite, browser, server, other)
            of_another_site(suite, browser, server, Path(folder), files)
            chosen_by_another(suite, browser, server)
            guessing(suite, browser, server)


@contextlib.contextmanager
def guarded(suite, *files):
    """A server whose pages have a token, and TLS if there are files for it."""
    server = suite.foreign_server("on-call", [ours(suite, "on-call"), "guarded", TOKEN, *files])
    try:
        yield server
    finally:
        server.kill()


def new_tab(browser):
    tab = browser.tab()
    tab.call("Security.enable")
    tab.call("Security.setIgnoreCertificateErrors", ignore=True)
    return tab


def type_token(tab, token):
    tab.value(f"document.querySelector('[name=pages_token]').value={json.dumps(token)}")
    with tab.leaving():
        tab.click("form.a button")
    return tab


def cookies(tab, site):
    return tab.call("Network.getCookies", urls=[site])["cookies"]


def page(tab):
    return tab.value("location.pathname")


def body(tab):
    return tab.value("document.body.innerText")


def logs_in(suite, browser, site, secure, what):
    """Hands back a tab that is logged in."""
    tab = new_tab(browser)
    with suite.check(f"{what}: a browser is led to the form, and a wrong token to the form again"):
        tab.open(site + "status")
        same("/login", page(tab), "the page")
        type_token(tab, "x" * 20)
        expect("not the token" in body(tab), body(tab))
        same([], cookies(tab, site), "cookies")
    with suite.check(f"{what}: the token leads to the page that was wanted"):
        type_token(tab.open(site + "status"), TOKEN)
        same("/status", page(tab), "the page")
    with suite.check(f"{what}: the cookie is no script's, no other site's, and ends after twelve hours"):
        [cookie] = cookies(tab, site)
        same((True, "Strict", secure), (cookie["httpOnly"], cookie.get("sameSite"), cookie["secure"]), "httpOnly, sameSite, secure")
        same("", tab.value("document.cookie"), "what a script sees")
        expect(abs(cookie["expires"] - time.time() - LIFE_S) < 300, f"it ends in {cookie['expires'] - time.time()} s")
        expect(re.fullmatch(r"[0-9a-f]{32}", cookie["value"]) and TOKEN not in cookie["value"], cookie["value"])
    with suite.check(f"{what}: a change is made by a form, and logging out ends it"):
        tab.open(site + "flags/reserve_time")
        tab.value("document.querySelector('main form.a [name=value]').value='3ms'")
        with tab.leaving():
            tab.click("form.a button")
        expect("→ 3ms" in body(tab), body(tab)[:500])
        [kept] = cookies(tab, site)
        tab.open(site + "login")
        with tab.leaving():
            tab.click("form.a button")
        same([], cookies(tab, site), "cookies")
        put(tab, site, kept["name"], kept["value"])
        same("/login", page(tab.open(site + "status")), "with the cookie of before")


def put(tab, site, name, value):
    tab.call("Network.setCookie", url=site, name=name, value=value, secure=site.startswith("https"), httpOnly=True)


def over_tls(suite, browser, files):
    _, certificate, _, key = files.server()
    with guarded(suite, certificate, key) as server:
        logs_in(suite, browser, f"https://{server.address}/", True, "over TLS")
    with guarded(suite) as server:
        logs_in(suite, browser, f"http://{server.address}/", False, "without TLS")


NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
    server {{
        listen 127.0.0.1:{tls} ssl;
        ssl_certificate {certificate}; ssl_certificate_key {key};
        location / {{
            proxy_pass http://{server};
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
        }}
    }}
    server {{
        listen 127.0.0.1:{plain};
        location / {{ default_type text/html; return 200 "<title>evil</title>here"; }}
    }}
}}
"""


@contextlib.contextmanager
def nginx(folder, server, files):
    """Two addresses: a proxy that speaks TLS, and a page of another site."""
    certificate, key = files
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    tls, plain = (one.getsockname()[1] for one in sockets)
    for one in sockets:
        one.close()
    settings = folder / "nginx.conf"
    settings.write_text(NGINX.format(folder=folder, tls=tls, plain=plain, server=server, certificate=certificate, key=key))
    process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(settings)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def answers():
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{plain}/", timeout=5) as answer:
            return answer.status == 200
        return False

    try:
        expect(eventually(answers, 20), "nginx does not answer")
        yield f"https://localhost:{tls}/", f"http://localhost:{plain}/"
    finally:
        process.terminate()
        process.wait()


def behind_a_proxy(suite, browser, files, folder):
    _, certificate, _, key = files.server()
    with guarded(suite) as server, nginx(folder, server.address, (certificate, key)) as (site, _):
        logs_in(suite, browser, site, True, "behind nginx, which speaks TLS")


def one_server_alone(suite, browser, server, other):
    site, another = f"http://{server.address}/", f"http://{other.address}/"
    with suite.check("the cookie of a server opens no other one, under no name"):
        tab = new_tab(browser)
        type_token(tab.open(site + "status"), TOKEN)
        [mine] = cookies(tab, site)
        same("/login", page(tab.open(another + "status")), "the page, with the cookie that the browser sends to all ports")
        stranger = new_tab(browser)
        type_token(stranger.open(another + "status"), TOKEN)
        [theirs] = cookies(stranger, another)
        put(tab, another, theirs["name"], mine["value"])
        same("/login", page(tab.open(another + "status")), "the page, with its value under the other's name")


def of_another_site(suite, browser, server, folder, files):
    """127.0.0.1 and localhost are two sites."""
    site = f"http://{server.address}/"
    _, certificate, _, key = files.server()
    with nginx(folder, server.address, (certificate, key)) as (_, evil):
        tab = new_tab(browser)
        type_token(tab.open(site + "flags/reserve_time"), TOKEN)
        token = tab.value("fetch('/token').then(r=>r.text())")
        before = tab.value("fetch('/flags/reserve_time?json').then(r=>r.text())")
        for what, path, fields in (
            ("a flag", "flags", {"token": token, "name": "reserve_time", "value": "9ms"}),
            ("a login", "login", {"pages_token": TOKEN, "to": "status"}),
        ):
            with suite.check(f"a form of another site does not change {what}"):
                tab.open(evil)
                inputs = "".join(f"<input name={name} value='{value}'>" for name, value in fields.items())
                with tab.leaving():
                    tab.value(f"document.body.innerHTML=`<form method=post action={site}{path}>{inputs}</form>`;document.forms[0].submit()")
                expect("pages of this origin may not call" in body(tab), body(tab)[:300])
                now = tab.open(site + "status").value("fetch('/flags/reserve_time?json').then(r=>r.text())")
                value = lambda answer: json.loads(answer)["tab"]["flags"]["rows"][0][3]  # noqa: E731
                same(value(before), value(now), "the flag")


def chosen_by_another(suite, browser, server):
    site = f"http://{server.address}/"
    with suite.check("a session that somebody has chosen before the login is not the one after it"):
        tab = new_tab(browser)
        type_token(tab.open(site + "status"), TOKEN)
        [cookie] = cookies(tab, site)
        fixed = new_tab(browser)
        put(fixed, site, cookie["name"], "0" * 32)
        type_token(fixed.open(site + "status"), TOKEN)
        values = {one["value"] for one in cookies(fixed, site)}
        expect("0" * 32 not in values and len(values) == 1, f"{values}")
        put(tab, site, cookie["name"], "0" * 32)
        same("/login", page(tab.open(site + "status")), "with the chosen one")


def guessing(suite, browser, server):
    site = f"http://{server.address}/"
    inside = new_tab(browser)
    type_token(inside.open(site + "status"), TOKEN)
    with suite.check("after ten wrong tokens none is listened to, and who is inside stays there"):
        tab = new_tab(browser).open(site + "login")
        said = [body(type_token(tab, f"wrong-token-number-{n}")) for n in range(11)]
        expect("not the token" in said[9] and "too many" in said[10], f"{said[9:]}")
        expect("too many" in body(type_token(tab, TOKEN)), "the right one")
        same([], cookies(tab, site), "cookies")
        same("/status", page(inside.open(site + "status")), "inside")
