"""redis-py 8.1.0 in both dialects, RESP3 and RESP2: everyday commands, pipelines, transactions, errors."""

import os
import threading

from harness import eventually, expect, package, same

try:
    import redis
except ImportError:  # then NEEDS says so
    redis = None

NEEDS = [package("redis", "8.1.0")]


def run(suite):
    with suite.serve() as server:
        for protocol in (3, 2):
            Dialect(suite, server, protocol).run()


class Dialect:
    def __init__(self, suite, server, protocol):
        self.suite = suite
        self.server = server
        self.protocol = protocol
        self.name = f"RESP{protocol}"

    def connect(self, **options):
        return redis.Redis(self.server.host, self.server.port, protocol=self.protocol, socket_timeout=20, **options)

    def check(self, name):
        return self.suite.check(f"{self.name}: {name}")

    def run(self):
        self.r = self.connect()
        with self.check("connects and pings"):
            same(True, self.r.ping())
            same(b"hello", self.r.echo("hello"))
        with self.check("starts with an empty store"):
            self.r.flushall()
            same(0, self.r.dbsize())
        self.strings()
        self.keys()
        self.expiry()
        self.lists()
        self.pipelines()
        self.transactions()
        self.errors()
        self.sizes()
        self.about_the_server()
        with self.check("50 threads over one pool get their own replies"):
            self.threads()
        self.r.close()

    def strings(self):
        r = self.r
        with self.check("SET and GET, a missing key is None"):
            same(True, r.set("k", "v"))
            same(b"v", r.get("k"))
            same(None, r.get("nothing"))
        with self.check("SET with NX, XX, GET and KEEPTTL"):
            same(None, r.set("k", "w", nx=True))
            same(True, r.set("k", "w", xx=True))
            same(None, r.set("absent", "w", xx=True))
            same(b"w", r.set("k", "x", get=True))
            r.set("t", "1", ex=100)
            r.set("t", "2", keepttl=True)
            expect(r.ttl("t") > 90, "KEEPTTL lost the time")
        with self.check("counters"):
            same(1, r.incr("n"))
            same(11, r.incrby("n", 10))
            same(10, r.decr("n"))
            same(-5, r.decrby("n", 15))
            same(b"-5", r.get("n"))
        with self.check("MSET, MGET, APPEND, STRLEN, GETRANGE, SETRANGE"):
            same(True, r.mset({"a": "1", "b": "2"}))
            same([b"1", None, b"2"], r.mget("a", "nothing", "b"))
            same(5, r.append("a", "2345"))
            same(5, r.strlen("a"))
            same(b"234", r.getrange("a", 1, 3))
            same(b"45", r.getrange("a", -2, -1))
            same(5, r.setrange("a", 2, "XY"))
            same(b"12XY5", r.get("a"))
        with self.check("SETNX, GETSET, GETDEL"):
            same(False, bool(r.setnx("a", "1")))
            same(b"12XY5", r.getset("a", "new"))
            same(b"new", r.getdel("a"))
            same(None, r.get("a"))
        with self.check("any byte may stand in keys and values"):
            every = bytes(range(256))
            r.set(every, every)
            same(every, r.get(every))

    def keys(self):
        r = self.r
        with self.check("DEL, EXISTS, TYPE, RENAME, KEYS, DBSIZE"):
            r.flushall()
            r.mset({"one": 1, "two": 2, "three": 3})
            same(2, r.exists("one", "two", "nothing"))
            same(b"string", r.type("one"))
            same(b"none", r.type("nothing"))
            same([b"three", b"two"], sorted(r.keys("t*")))
            same(True, r.rename("one", "uno"))
            same(3, r.dbsize())
            same(2, r.delete("uno", "two", "nothing"))
            same([b"three"], r.keys("*"))
        with self.check("FLUSHALL empties the store"):
            r.flushall()
            same(0, r.dbsize())

    def expiry(self):
        r = self.r
        with self.check("TTL, EXPIRE, PERSIST"):
            r.set("k", "v")
            same(-1, r.ttl("k"))
            same(-2, r.ttl("nothing"))
            same(True, bool(r.expire("k", 100)))
            expect(90 < r.ttl("k") <= 100, f"TTL is {r.ttl('k')}")
            expect(90_000 < r.pttl("k") <= 100_000, f"PTTL is {r.pttl('k')}")
            same(True, bool(r.persist("k")))
            same(-1, r.ttl("k"))
            same(False, bool(r.expire("nothing", 100)))
        with self.check("a key is gone when its time is over"):
            r.set("short", "v", px=60)
            same(b"v", r.get("short"))
            expect(eventually(lambda: r.get("short") is None), "it is still there")
            same(0, r.exists("short"))
        with self.check("SETEX and PEXPIRE"):
            r.setex("s", 100, "v")
            expect(r.ttl("s") > 90, "no time was set")
            r.pexpire("s", 1)
            expect(eventually(lambda: not r.exists("s")), "it is still there")

    def lists(self):
        r = self.r
        with self.check("LPUSH, RPUSH, LLEN, LRANGE, LINDEX"):
            r.delete("l")
            same(1, r.lpush("l", "b"))
            same(3, r.rpush("l", "c", "d"))
            same(4, r.lpush("l", "a"))
            same([b"a", b"b", b"c", b"d"], r.lrange("l", 0, -1))
            same([b"b", b"c"], r.lrange("l", 1, 2))
            same([], r.lrange("l", 10, 20))
            same(b"d", r.lindex("l", -1))
            same(None, r.lindex("l", 10))
            same(b"list", r.type("l"))
        with self.check("LSET, LREM, LTRIM, LPOP, RPOP"):
            same(True, r.lset("l", 1, "B"))
            same(1, r.lrem("l", 0, "c"))
            same([b"a", b"B", b"d"], r.lrange("l", 0, -1))
            same(b"a", r.lpop("l"))
            same(b"d", r.rpop("l"))
            same(None, r.rpop("nothing"))
            r.rpush("l", *range(10))
            same(True, r.ltrim("l", 1, 3))
            same([b"0", b"1", b"2"], r.lrange("l", 0, -1))
            same([b"0", b"1"], r.lpop("l", 2))
        with self.check("an emptied list is no key any more"):
            r.lpop("l")
            same(0, r.exists("l"))

    def pipelines(self):
        with self.check("10000 commands in one pipeline are answered in order"):
            pipe = self.r.pipeline(transaction=False)
            for number in range(5000):
                pipe.set(f"p{number}", number).get(f"p{number}")
            answers = pipe.execute()
            same([True, b"0", True, b"1"], answers[:4])
            same([str(n).encode() for n in range(5000)], answers[1::2])
        with self.check("an error in a pipeline stays in its place"):
            pipe = self.r.pipeline(transaction=False)
            pipe.set("text", "x").incr("text").get("text")
            first, error, last = pipe.execute(raise_on_error=False)
            same((True, b"x"), (first, last))
            expect(isinstance(error, redis.ResponseError) and "not an integer" in str(error), f"{error!r}")

    def transactions(self):
        r = self.r
        with self.check("MULTI and EXEC answer all commands together"):
            pipe = r.pipeline(transaction=True)
            same([True, 2, b"2"], pipe.set("tx", 1).incr("tx").get("tx").execute())
        with self.check("a run-time error inside EXEC leaves the others done"):
            pipe = r.pipeline(transaction=True)
            found = pipe.set("tx", "text").incr("tx").set("after", "1").execute(raise_on_error=False)
            expect(found[0] is True and isinstance(found[1], redis.ResponseError) and found[2] is True, f"{found}")
            same(b"1", r.get("after"))
        with self.check("WATCH lets EXEC through when nobody touched the key"):
            r.set("w", 1)
            with r.pipeline() as pipe:
                pipe.watch("w")
                value = int(pipe.get("w"))
                pipe.multi()
                pipe.set("w", value + 1)
                same([True], pipe.execute())
            same(b"2", r.get("w"))
        with self.check("WATCH stops EXEC when another client touched the key"):
            with r.pipeline() as pipe, self.connect() as other:
                pipe.watch("w")
                other.set("w", "theirs")
                pipe.multi()
                pipe.set("w", "ours")
                try:
                    pipe.execute()
                    raise AssertionError("EXEC went through")
                except redis.WatchError:
                    pass
            same(b"theirs", r.get("w"))
        with self.check("an unknown command while queuing aborts the transaction"):
            one = self.connect(single_connection_client=True)
            one.execute_command("MULTI")
            self.fails(lambda: one.execute_command("NOSUCHCOMMAND"), "unknown command")
            one.execute_command("SET", "never", "1")
            self.fails(lambda: one.execute_command("EXEC"), "previous errors")
            one.close()
            same(None, r.get("never"))
        with self.check("DISCARD forgets, EXEC and DISCARD without MULTI are errors"):
            one = self.connect(single_connection_client=True)
            one.execute_command("MULTI")
            one.execute_command("SET", "never", "1")
            one.execute_command("DISCARD")
            same(None, one.get("never"))
            self.fails(lambda: one.execute_command("EXEC"), "EXEC without MULTI")
            self.fails(lambda: one.execute_command("DISCARD"), "DISCARD without MULTI")
            one.close()
        with self.check("MULTI inside MULTI is an error"):
            one = self.connect(single_connection_client=True)
            one.execute_command("MULTI")
            self.fails(lambda: one.execute_command("MULTI"), "nested")
            one.close()

    def errors(self):
        r = self.r
        with self.check("errors have redis-server's words"):
            self.fails(lambda: r.execute_command("NOSUCHCOMMAND", "arg"), "unknown command")
            self.fails(lambda: r.execute_command("GET"), "wrong number of arguments for 'get' command")
            r.set("text", "x")
            self.fails(lambda: r.incr("text"), "value is not an integer or out of range")
            self.fails(lambda: r.set("k", "v", ex=0), "invalid expire time")
        with self.check("a command on a key of another type is WRONGTYPE"):
            r.delete("l")
            r.rpush("l", 1)
            for command in (lambda: r.get("l"), lambda: r.incr("l"), lambda: r.lpush("text", 1)):
                self.fails(command, "WRONGTYPE", "Operation against a key holding the wrong kind of value")
        with self.check("counters do not overflow"):
            r.set("max", 2**63 - 1)
            self.fails(lambda: r.incr("max"), "overflow")
            same(str(2**63 - 1).encode(), r.get("max"))

    @staticmethod
    def fails(command, *words):
        """The command must fail with an error that has one of these words."""
        try:
            answer = command()
        except redis.RedisError as error:
            expect(any(word in str(error) for word in words), f"the error is {error}")
        else:
            raise AssertionError(f"it should have failed, but answered {answer!r}")

    def sizes(self):
        with self.check("values of 0, 1, 64 Ki and 20 Mi bytes come back unchanged"):
            for size in (0, 1, 65536, 20 << 20):
                value = os.urandom(min(size, 65536)) * max(1, size // 65536) if size else b""
                self.r.set("large", value)
                expect(self.r.get("large") == value, f"{size} bytes came back changed")
            self.r.delete("large")

    def about_the_server(self):
        r = self.r
        with self.check("INFO parses"):
            expect("redis_version" in r.info(), "no redis_version")
        with self.check("CLIENT SETNAME, GETNAME, ID"):
            same(True, r.client_setname("interop"))
            expect(isinstance(r.client_id(), int), "no id")
        with self.check("SELECT 0 works"):
            same(True, r.select(0))
        if self.protocol == 3:
            with self.check("HELLO 3 answers a map"):
                hello = r.execute_command("HELLO", "3")
                hello = {k.decode() if isinstance(k, bytes) else k: v for k, v in hello.items()}
                same(3, hello["proto"])
                expect({"server", "version", "proto", "id", "mode", "role", "modules"} <= set(hello), f"{hello}")
            with self.check("HELLO 4 is refused with NOPROTO"):
                self.fails(lambda: r.execute_command("HELLO", "4"), "NOPROTO", "unsupported protocol version")

    def threads(self):
        wrong = []

        def caller(name):
            for number in range(100):
                key, value = f"thread{name}", f"{name}-{number}".encode()
                self.r.set(key, value)
                if self.r.get(key) != value:
                    wrong.append(value)

        threads = [threading.Thread(target=caller, args=(name,)) for name in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        same([], wrong, "mixed-up replies")
