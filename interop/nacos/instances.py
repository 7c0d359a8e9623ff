"""What Nacos' users do: instances that others put there, groups and namespaces, its own view of our servers, operators, logins."""

import contextlib
import time

from harness import eventually, expect, ours, same
from parts import SEEN_S, Lines, Nacos
from under_load import servers

# More than the time after which a registration says everything again.
SAID_AGAIN_S = 35
USER = ("ann", "h&sh 1")


def run(suite):
    with Nacos() as nacos:
        of_others(suite, nacos)
        apart(suite, nacos)
        as_nacos_shows_it(suite, nacos)


def of_others(suite, nacos):
    """Instances without beats, which Nacos tries itself: somebody has to listen there."""
    program = ours(suite, "registry")
    listen = lambda: Lines(program, "serve", "dns:nobody")
    with listen() as one, listen() as two, Lines(program, "watch", nacos.url()) as watch:
        first, second = one.listening(), two.listening()
        with suite.check("a service that nobody has put there is an empty set"):
            watch.expect("set")
        with suite.check("instances that join, change their weight, are disabled and leave are followed"):
            nacos.instance("POST", first, ephemeral="false", weight="3")
            watch.expect(f"set {first}*3")
            nacos.instance("POST", second, ephemeral="false", weight="2")
            watch.expect(shown({first: 3, second: 2}))
            nacos.instance("PUT", first, ephemeral="false", weight="5")
            watch.expect(shown({first: 5, second: 2}))
            nacos.instance("PUT", second, ephemeral="false", weight="2", enabled="false")
            watch.expect(shown({first: 5}))
            nacos.instance("DELETE", first, ephemeral="false")
            watch.expect("set")
            nacos.instance("DELETE", second, ephemeral="false")


def apart(suite, nacos):
    """Services of one name in several groups and namespaces."""
    program = ours(suite, "registry")
    places = [{}, {"groupName": "shop"}, {"namespaceId": "dev"}, {"groupName": "shop", "namespaceId": "dev"}]
    with suite.check("groups and namespaces have servers of their own"), contextlib.ExitStack() as running:
        serving = [running.enter_context(Lines(program, "serve", nacos.url(**place))) for place in places]
        addresses = [one.listening() for one in serving]
        for place, address in zip(places, addresses):
            expect(eventually(lambda: nacos.instances(**place), SEEN_S), f"Nacos has nothing at {place}")
            running.enter_context(Lines(program, "watch", nacos.url(**place))).expect(servers(address))
        for place, one in zip(places, serving):
            one.end()
            one.expect("stopped")
            same([], nacos.instances(**place), f"what Nacos still has at {place}")


def as_nacos_shows_it(suite, nacos):
    """The program, as Nacos tells others of it."""
    server = suite.start("127.0.0.1:0", "--register", nacos.url())
    with suite.check("the program is an instance as Nacos' own clients write it"):
        expect(eventually(nacos.instances, SEEN_S), "Nacos has not got it")
        (found,) = nacos.instances()
        wanted = {
            "ip": server.host, "port": server.port, "weight": 1.0, "healthy": True, "enabled": True, "ephemeral": True,
            "clusterName": "DEFAULT", "serviceName": "DEFAULT_GROUP@@echo",
        }
        same(wanted, {name: found.get(name) for name in wanted}, "the instance")
    with suite.check("the program calls it by the same url"):
        called = suite.polywire("call", "--server", nacos.url(), "--protocol", "grpc", "grpc.health.v1.Health/Check", "-d", "{}")
        expect("SERVING" in called.stdout, f"it ended with {called.returncode}: {called.stdout} {called.stderr}")
    with suite.check("an instance that an operator has disabled stays so"):
        nacos.instance("PUT", server.address, enabled="false")
        same([], nacos.instances(), "instances after it was disabled")
        time.sleep(SAID_AGAIN_S)
        same([], nacos.instances(), "instances after the server has said everything again")
        nacos.instance("PUT", server.address, enabled="true")
        expect(eventually(nacos.instances, SEEN_S), "it does not come back")
    with suite.check("after SIGTERM it is gone"):
        same(0, server.stop(), "exit code")
        same([], nacos.instances(healthyOnly="false"), "what Nacos still has")


def users(suite):
    """A Nacos with a login, whose tokens end after 14 s: ours renew them 10 s before that, each time they ask."""
    name, password = USER
    with Nacos(USER, token_s=14) as nacos:
        program, url = ours(suite, "registry"), nacos.url(username=name, password=password)
        with Lines(program, "serve", url) as one, Lines(program, "watch", url) as watch:
            first = one.listening()
            with suite.check("who logs in registers and finds servers"):
                watch.expect(servers(first))
            with suite.check("tokens are renewed before they end"):
                time.sleep(30)
                with Lines(program, "serve", url) as two:
                    watch.expect(servers(first, two.listening()))
                    two.end()
                    two.expect("stopped")
                    watch.expect(servers(first))
                errors = [line for line in watch.seen if line.startswith("error")]
                same([], errors, "failures that were told")
        with suite.check("without a login, or with a wrong one, there is a failure and no set"):
            for refused in (nacos.url(), nacos.url(username=name, password="wrong")):
                with Lines(program, "watch", refused) as watch:
                    watch.expect_error()
                    watch.expect_no_set()


def shown(weights):
    """The line of `registry watch` for addresses with these weights."""
    return "set " + " ".join(f"{address}*{weights[address]}" for address in sorted(weights))
