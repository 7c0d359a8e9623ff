"""PyMongo 4.20.0 against the collections of our server; the handshake of older versions from a plain socket."""

import datetime
import re
import struct
import subprocess
import sys
import threading
from pathlib import Path

from harness import Raw, expect, package, same

try:
    import bson
    import pymongo
    from bson import Binary, Code, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp
    from pymongo.errors import AutoReconnect, OperationFailure
    from pymongo.server_api import ServerApi
    from pymongo.write_concern import WriteConcern
except ImportError:  # then NEEDS says so
    pymongo = None

NEEDS = [package("pymongo", "4.20.0")]
EXAMPLE = Path(__file__).resolve().parents[2] / "examples/mongo"


def run(suite):
    with suite.serve() as server:
        greetings(suite, server)
        with connect(server) as client:
            values(suite, client)
            collections(suite, client)
            sizes(suite, server, client)
            failures(suite, client)
            threads(suite, client)
        older(suite, server)
        bad_input(suite, server)
        example(suite, server)
    stop(suite)


def connect(server, **options):
    options = {"serverSelectionTimeoutMS": 10_000, "socketTimeoutMS": 20_000, **options}
    return pymongo.MongoClient(server.host, server.port, **options)


def greetings(suite, server):
    with suite.check("connects, and finds a server that stands alone"), connect(server) as client:
        same({"ok": 1.0}, client.admin.command("ping"))
        hello = client.admin.command("hello")
        same((True, 48_000_000, 16 << 20), (hello["isWritablePrimary"], hello["maxMessageSizeBytes"], hello["maxBsonObjectSize"]))
        [described] = client.topology_description.server_descriptions().values()
        same("Standalone", described.server_type_name)
        off = datetime.datetime.now(datetime.UTC).replace(tzinfo=None) - hello["localTime"]
        expect(abs(off.total_seconds()) < 60, f"its clock is off by {off}")
    with suite.check("connects by the stable API"), connect(server, server_api=ServerApi("1", strict=True)) as client:
        same({"ok": 1.0}, client.admin.command("ping"))
    with suite.check("asks for compression and does without"), connect(server, compressors="zlib") as client:
        same({"ok": 1.0}, client.admin.command("ping"))
    with suite.check("reads the version"), connect(server) as client:
        same([7, 0, 0, 0], client.server_info()["versionArray"])


def values(suite, client):
    document = {
        "_id": ObjectId(),
        "double": -1.5,
        "text": "ü\0x",
        "document": {"a": {"b": {}}},
        "array": [1, "two", [3.0, None], {}],
        "binary": b"\0\xff",
        "of a subtype": Binary(b"x" * 16, 0x80),
        "bool": True,
        "date": datetime.datetime(2026, 1, 2, 3, 4, 5, 678000),
        "null": None,
        "regex": Regex("^a+$", "im"),
        "code": Code("f()"),
        "with scope": Code("f(x)", {"x": 1}),
        "int": -(1 << 31),
        "long": Int64(1 << 62),
        "timestamp": Timestamp(7, 9),
        "decimal": Decimal128("1.50"),
        "min": MinKey(),
        "max": MaxKey(),
        "": "no name",
    }
    with suite.check("a document with values of all types comes back as it was"):
        collection = client.values.all
        collection.insert_one(document)
        same(document, collection.find_one({"_id": document["_id"]}))
        same(list(document), list(collection.find_one({"bool": True})))
    with suite.check("documents a hundred deep come back"):
        deep = {}
        for _ in range(98):
            deep = {"d": deep}
        client.values.deep.insert_one({"_id": 1, "d": deep})
        same(deep, client.values.deep.find_one({"_id": 1})["d"])


def collections(suite, client):
    shop = client.shop
    with suite.check("inserts one and many, and finds them"):
        same(1, shop.fruits.insert_one({"_id": 1, "name": "fig", "n": 5}).inserted_id)
        same([2, 3], shop.fruits.insert_many([{"_id": 2, "name": "plum", "n": 5}, {"_id": 3, "name": "pear", "n": 1}]).inserted_ids)
        same(["fig", "plum"], [fruit["name"] for fruit in shop.fruits.find({"n": 5.0})])
        same({"_id": 3, "name": "pear", "n": 1}, shop.fruits.find_one({"name": "pear"}))
        same(None, shop.fruits.find_one({"name": "nothing"}))
        same([2], [fruit["_id"] for fruit in shop.fruits.find().skip(1).limit(1)])
    with suite.check("counts, deletes and drops"):
        same(3, shop.fruits.estimated_document_count())
        same(1, shop.fruits.delete_one({"n": 5}).deleted_count)
        same(2, shop.fruits.delete_many({}).deleted_count)
        shop.trees.insert_one({"_id": 1})
        same(["fruits", "trees"], shop.list_collection_names())
        shop.fruits.drop()
        same(["trees"], shop.list_collection_names())
    with suite.check("writes that are not acknowledged come before what follows them"):
        unacknowledged = shop.get_collection("quick", write_concern=WriteConcern(w=0))
        for n in range(200):
            expect(not unacknowledged.insert_one({"_id": n}).acknowledged, "it was acknowledged")
        same(200, shop.quick.estimated_document_count())
    with suite.check("a batch of 30000 documents is one command or several"):
        same(30_000, len(shop.many.insert_many([{"_id": n} for n in range(30_000)]).inserted_ids))
        same(list(range(30_000)), [document["_id"] for document in shop.many.find()])
        shop.many.drop()


def sizes(suite, server, client):
    with suite.check("documents of up to 10 MiB come and go"):
        for size in (0, 1000, 100_000, 10 << 20):
            client.sizes.one.insert_one({"_id": size, "b": b"x" * size})
            same(size, len(client.sizes.one.find_one({"_id": size})["b"]))
        client.sizes.one.drop()
    with suite.check("the driver refuses a document that is longer than it was told"):
        try:
            client.sizes.one.insert_one({"b": b"x" * (17 << 20)})
            expect(False, "it was sent")
        except pymongo.errors.DocumentTooLarge:
            pass
    with suite.check("a reply that would be too long is a failure, and the connection goes on"):
        for n in range(3):
            client.sizes.long.insert_one({"_id": n, "b": b"x" * (6 << 20)})
        try:
            list(client.sizes.long.find())
            expect(False, "it was read")
        except OperationFailure as failure:
            same((10334, "BSONObjectTooLarge"), (failure.code, failure.details["codeName"]))
        client.sizes.long.drop()
        same({"ok": 1.0}, client.admin.command("ping"))
    with suite.check("a store that is full says so and keeps no more"):
        full = None
        for n in range(8):
            try:
                client.sizes.full.insert_one({"_id": n, "b": b"x" * (15 << 20)})
            except OperationFailure as failure:
                full = failure
                break
        same("ExceededMemoryLimit", full and full.details["codeName"])
        expect(server.resident_kib() < 1 << 20, f"{server.resident_kib()} KiB")
        client.sizes.full.drop()
        client.sizes.full.insert_one({"_id": 1})


def refused(command):
    try:
        command()
    except OperationFailure as failure:
        return failure.code
    return None


def failures(suite, client):
    with suite.check("long names, filters of many members, and comparing without end are refused"):
        client.bounds.one.insert_one({"_id": 1, "b": b"x" * (6 << 20)})
        same(73, refused(lambda: client.bounds.command({"insert": "n" * 255, "documents": [{"_id": 1}]})))
        same(2, refused(lambda: client.bounds.one.find_one({f"m{n}": n for n in range(101)})))
        none = {"q": {"_id": 2}, "limit": 0}
        same(None, refused(lambda: client.bounds.command({"delete": "one", "deletes": [none] * 40})))
        same(50, refused(lambda: client.bounds.command({"delete": "one", "deletes": [none] * 100})))
        same(1, client.bounds.one.estimated_document_count())
        client.bounds.one.drop()
    with suite.check("a command that there is not has MongoDB's number and text"):
        try:
            client.admin.command("bogus")
            expect(False, "it succeeded")
        except OperationFailure as failure:
            same((59, "no such command: 'bogus'"), (failure.code, failure.details["errmsg"]))
    with suite.check("sessions are refused by the driver, since there are none"):
        try:
            with client.start_session() as session:
                client.admin.command("ping", session=session)
                expect(False, "there is one")
        except pymongo.errors.ConfigurationError as error:
            expect("not supported" in str(error), str(error))


def threads(suite, client):
    with suite.check("20 threads over one client get their own replies"):
        wrong = []

        def work(mine):
            collection = client.threads[f"of_{mine}"]
            for n in range(50):
                collection.insert_one({"_id": n, "by": mine})
                found = collection.find_one({"_id": n})
                if found != {"_id": n, "by": mine}:
                    wrong.append(found)

        running = [threading.Thread(target=work, args=(mine,)) for mine in range(20)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        same([], wrong)


def older(suite, server):
    """OP_QUERY, as PyMongo 4.8.0 sends it."""
    query = bytes.fromhex(
        "44 00 00 00 67 45 8b 6b 00 00 00 00 d4 07 00 00 04 00 00 00 61 64 6d 69 6e 2e 24 63 6d 64 00 00 00 00 00 ff ff ff ff"
        "1d 00 00 00 10 69 73 6d 61 73 74 65 72 00 01 00 00 00 08 68 65 6c 6c 6f 4f 6b 00 01 00"
    )
    with suite.check("the handshake by OP_QUERY is answered by OP_REPLY"), Raw(server) as raw:
        raw.send(query).read_until(lambda data: len(data) >= 4 and len(data) >= struct.unpack("<i", data[:4])[0])
        length, _, response_to, op_code, _, cursor, first, number = struct.unpack("<iiiiiqii", raw.received[:36])
        same((len(raw.received), 0x6B8B4567, 1, 0, 0, 1), (length, response_to, op_code, cursor, first, number))
        hello = bson.decode(raw.received[36:])
        same((True, True, 1.0), (hello["ismaster"], hello["helloOk"], hello["ok"]))


def bad_input(suite, server):
    def message(sections, flags=0, op_code=2013):
        return struct.pack("<iiiiI", 20 + len(sections), 7, 0, op_code, flags) + sections

    ping = b"\0" + bson.encode({"ping": 1, "$db": "admin"})
    with suite.check("what is no message closes the connection"):
        for bad in (
            message(ping, op_code=2012),
            message(ping, op_code=2002),
            message(ping, flags=4),
            message(ping, flags=1),
            message(ping + ping),
            message(ping + b"\2"),
            message(ping[:-1]),
            struct.pack("<iiii", (64 << 20) + 1, 7, 0, 2013) + b"\0" * 100,
        ):
            with Raw(server, quiet_s=3) as raw:
                raw.send(bad).read_to_end()
                expect(raw.closed, f"still open after {bad[:24].hex(' ')}")
                same(b"", raw.received)
    with suite.check("a length that is announced takes no memory before it comes"):
        before = server.resident_kib()
        halves = [Raw(server).send(struct.pack("<iiii", 60_000_000, 7, 0, 2013)) for _ in range(50)]
        expect(server.resident_kib() - before < 128 * 1024, "it was reserved")
        for half in halves:
            half.socket.close()
    with suite.check("a command of nothing but elements is refused"), Raw(server) as raw:
        elements = b"\x0a\0" * 1_000_000
        raw.send(message(b"\0" + struct.pack("<i", 5 + len(elements)) + elements + b"\0"))
        raw.read_until(lambda data: len(data) >= 16)
        same(2, bson.decode(raw.received[21:])["code"])


def example(suite, server):
    with suite.check("the client of the example prints what its page shows"):
        ran = subprocess.run(
            [sys.executable, str(EXAMPLE / "client.py"), str(server.port)], capture_output=True, text=True, timeout=60
        )
        [shown] = re.findall(r"```text\n(.*?)```", (EXAMPLE / "README.md").read_text(), re.DOTALL)
        same((shown, 0), (ran.stdout, ran.returncode))


def stop(suite):
    with suite.check("a server that has stopped is told from one that fails"):
        with suite.serve() as server:
            client = connect(server, serverSelectionTimeoutMS=500)
            same({"ok": 1.0}, client.admin.command("ping"))
        with client:
            try:
                client.admin.command("ping")
                expect(False, "it still answers")
            except (AutoReconnect, pymongo.errors.ServerSelectionTimeoutError):
                pass
