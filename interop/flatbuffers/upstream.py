"""Schemas of FlatBuffers' own tests: `upstream.py MODULE FLATC PROGRAM [SEED]`, for the Go module, which has the whole repository.

flatc and our parser have to take the same files. For every table of them, values are made up from what flatc says of the schema, its
reflection; both turn them into a message and back, and read the message of the other. All texts have to be equal.
"""

import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MODULE, FLATC, PROGRAM = sys.argv[1:4]
TESTS = Path(MODULE, "tests")
# The package of PyPI has no reflection.
sys.path.append(str(Path(MODULE, "python/flatbuffers")))

from reflection.BaseType import BaseType  # noqa: E402
from reflection.Schema import Schema  # noqa: E402

INCLUDES = [TESTS, TESTS / "include_test", TESTS / "include_test/sub", TESTS / "flatc", Path(MODULE)]
# `vector64` and `offset64`, for messages beyond 2 GiB.
WIDE = {"64bit/evolution/v2.fbs", "64bit/test_64bit.fbs", "default_vectors_strings_test.fbs"}
# flatc turns unions of other types than ubyte into messages that its own C++ does not read.
UNIONS_OF_INT = {"union_underlying_type_test.fbs"}
EACH = 3
INTEGERS = {
    BaseType.Byte: (-(2**7), 2**7 - 1),
    BaseType.UByte: (0, 2**8 - 1),
    BaseType.Short: (-(2**15), 2**15 - 1),
    BaseType.UShort: (0, 2**16 - 1),
    BaseType.Int: (-(2**31), 2**31 - 1),
    BaseType.UInt: (0, 2**32 - 1),
    BaseType.Long: (-(2**63), 2**63 - 1),
    BaseType.ULong: (0, 2**64 - 1),
}


def run(command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)


def flatc(*arguments):
    return run([FLATC, "--no-warnings", *(word for path in INCLUDES for word in ("-I", path)), *arguments])


def ours(*arguments):
    return run([PROGRAM, *arguments, *INCLUDES])


def told(made):
    """What flatc says, without its usage in front."""
    return f"{made.stdout}{made.stderr}".rpartition("error:")[2].strip()


def attributes(of):
    pairs = (of.Attributes(i) for i in range(of.AttributesLength()))
    return {pair.Key().decode(): (pair.Value() or b"").decode() for pair in pairs}


class Values:
    """Made-up values of the tables of a schema."""

    def __init__(self, schema, source):
        self.schema, self.random = schema, random.Random(source)
        self.objects = [schema.Objects(i) for i in range(schema.ObjectsLength())]
        self.enums = [schema.Enums(i) for i in range(schema.EnumsLength())]
        self.names = {item.Name().decode(): item for item in self.objects}

    def table(self, of, depth):
        fields = sorted((of.Fields(i) for i in range(of.FieldsLength())), key=lambda field: field.Id())
        made = {}
        for field in fields:
            kind, has = field.Type(), attributes(field)
            tag = kind.BaseType() == BaseType.UType or kind.Element() == BaseType.UType
            if tag or field.Deprecated() or "flexbuffer" in has:
                continue
            leaf = kind.BaseType() <= BaseType.String
            wanted = self.random.random() < (0.7 if leaf else 0.7 / (1 + depth))
            if of.IsStruct() or field.Required() or field.Key() or wanted and (leaf or depth < 4):
                self.field(made, field.Name().decode(), kind, has, of, depth)
        return made

    def field(self, made, name, kind, has, of, depth):
        if kind.BaseType() == BaseType.Union:
            made[f"{name}_type"], made[name] = self.union(kind, depth)
        elif kind.BaseType() == BaseType.Vector and kind.Element() == BaseType.Union:
            unions = [self.union(kind, depth) for _ in range(self.random.randrange(4))]
            made[f"{name}_type"], made[name] = [tag for tag, _ in unions], [value for _, value in unions]
        elif "nested_flatbuffer" in has:
            made[name] = self.table(self.named(has["nested_flatbuffer"], of), depth + 1)
        else:
            made[name] = self.value(kind, depth, "hash" in has)

    def named(self, name, seen_from):
        scope = seen_from.Name().decode()
        while scope:
            scope = scope.rpartition(".")[0]
            found = self.names.get(f"{scope}.{name}" if scope else name)
            if found:
                return found
        raise KeyError(name)

    def union(self, kind, depth):
        of = self.enums[kind.Index()]
        variants = [of.Values(i) for i in range(of.ValuesLength())]
        variant = self.random.choice([variant for variant in variants if variant.Value()])
        return variant.Name().decode(), self.value(variant.UnionType(), depth)

    def value(self, kind, depth, hashed=False):
        base = kind.BaseType()
        if base == BaseType.Vector:
            return self.vector(kind, depth, hashed)
        if base == BaseType.Array:
            return [self.single(kind.Element(), kind.Index(), depth) for _ in range(kind.FixedLength())]
        return self.single(base, kind.Index(), depth, hashed)

    def vector(self, kind, depth, hashed):
        of = self.objects[kind.Index()] if kind.Element() == BaseType.Obj else None
        keys = [of.Fields(i) for i in range(of.FieldsLength()) if of.Fields(i).Key()] if of else []
        count = self.random.randrange(5)
        # flatc ends by an assertion when it has to compare structs or arrays.
        if keys and keys[0].Type().BaseType() in (BaseType.Obj, BaseType.Array):
            count = min(count, 1)
        items = [self.single(kind.Element(), kind.Index(), depth, hashed) for _ in range(count)]
        if keys:
            # Equal keys are in any order.
            name = keys[0].Name().decode()
            items = list({json.dumps(item[name]): item for item in items}.values())
        return items

    def single(self, base, index, depth, hashed=False):
        pick = self.random
        if base == BaseType.Obj:
            return self.table(self.objects[index], depth + 1)
        if base == BaseType.String:
            return pick.choice(["", "a", "two words", "Grüße, 你好 😀", 'a "quote"\n\\', "x" * 40])
        if base == BaseType.Bool:
            return pick.random() < 0.5
        if base in (BaseType.Float, BaseType.Double):
            return pick.randrange(-(2**12), 2**12) / 4
        if index >= 0 and self.enums[index].ValuesLength() and pick.random() < 0.8:
            of = self.enums[index]
            return of.Values(pick.randrange(of.ValuesLength())).Name().decode()
        low, high = INTEGERS[base]
        if hashed and high >= 2**31 - 1 and pick.random() < 0.5:
            return pick.choice(["", "a text", "7"])
        return pick.choice([low, high, 0, 1, pick.randint(low, high)])


def parsed(path):
    return json.loads(path.read_text())


def there_and_back(file, table, values, folder):
    """What is wrong with these values, if anything."""
    folder.mkdir()
    text, mine = folder / "given.json", folder / "ours.bin"
    text.write_text(json.dumps(values, ensure_ascii=False))
    by_schema = ("--root-type", table, "-o", folder, file)
    made = flatc("--binary", *by_schema, text)
    if made.returncode:
        return f"flatc does not take it: {told(made)}"
    # Its ending is the schema's `file_extension`.
    [theirs] = (path for path in folder.iterdir() if path != text)
    made = ours("from-json", file, table, text, mine)
    if made.returncode:
        return f"not taken: {made.stderr}"
    for name, message in (("given", theirs), ("ours", mine)):
        said = flatc("--json", "--strict-json", "--raw-binary", *by_schema, "--", message)
        if said.returncode:
            return f"flatc does not read {name}: {told(said)}"
        (folder / f"{name}.json").rename(folder / f"{name}.flatc.json")
        said = ours("to-json", file, table, message, folder / f"{name}.ours.json")
        if said.returncode:
            return f"{name} is not read: {said.stderr}"
    expected = parsed(folder / "given.flatc.json")
    for name in ("ours.flatc", "given.ours", "ours.ours"):
        if parsed(folder / f"{name}.json") != expected:
            return f"{name}.json: {(folder / f'{name}.json').read_text()} is not {json.dumps(expected)}"
    return None


def schema(file, folder, source):
    """The number of tables and of mistakes in a file; what flatc refuses has no tables."""
    name = file.relative_to(TESTS).as_posix()
    folder.mkdir()
    compiled = flatc("--schema", "--binary", "--bfbs-builtins", "-o", folder, file)
    taken = ours("tables", file)
    if compiled.returncode or name in WIDE:
        wrong = taken.returncode == 0
        return name, 0, [f"{name}: taken, flatc says {told(compiled)}"] if wrong else []
    if taken.returncode:
        return name, 0, [f"{name}: {taken.stderr}"]
    reflected = Schema.GetRootAs((folder / f"{file.stem}.bfbs").read_bytes())
    values = Values(reflected, f"{source} {name}")
    tables = [] if name in UNIONS_OF_INT else [item for item in values.objects if not item.IsStruct()]
    wrong = []
    for at, table in enumerate(tables):
        full = table.Name().decode()
        for turn in range(EACH):
            problem = there_and_back(file, full, values.table(table, 0), folder / f"{at}-{turn}")
            if problem:
                wrong.append(f"{name}, {full}: {problem}")
    return name, len(tables), wrong


def main():
    source = sys.argv[4] if len(sys.argv) > 4 else "1"
    files = sorted(TESTS.rglob("*.fbs"))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        folders = (Path(folder, str(at)) for at in range(len(files)))
        results = list(pool.map(schema, files, folders, [source] * len(files)))
    wrong = [problem for *_, problems in results for problem in problems]
    tables = sum(count for _, count, _ in results)
    print(f"{len(files)} files, {tables} tables, {len(wrong)} mistakes")
    if wrong or not tables:
        sys.exit("\n".join(wrong) or "no tables")


main()
