"""FlatBuffers' runtime for Python: write|check full|least FILE, serve, call ADDRESS. The code of flatc is on PYTHONPATH."""

import sys
import threading
from concurrent import futures
from pathlib import Path

import flatbuffers
import grpc
from full import Animal, Box, Colour, Food, Full, Lion, Mouse, Point

LOW = (-1, 2.5, 3)
HIGH = (4, -0.125, -300)
NAME = "Grüße, 你好"
METHOD = "/full.Keeper/Echo"


def build(b, full):
    name = b.CreateString(NAME if full else "")
    if full:
        leo = b.CreateString("Leo")
        Lion.Start(b)
        Lion.AddTeeth(b, 28)
        Lion.AddName(b, leo)
        lion = Lion.End(b)
        kind = b.CreateString("house")
        Mouse.Start(b)
        Mouse.AddKind(b, kind)
        Mouse.AddTame(b, False)
        house = Mouse.End(b)
        Mouse.Start(b)
        nobody = Mouse.End(b)
        data = b.CreateByteVector(bytes([0, 1, 255]))
        numbers = vector(b, Full.StartNumbersVector, b.PrependInt64, [-(2**63), 0, 2**63 - 1])
        flags = vector(b, Full.StartFlagsVector, b.PrependBool, [True, False, True])
        colours = vector(b, Full.StartColoursVector, b.PrependInt8, [Colour.Colour.Red, Colour.Colour.Blue])
        ratios = vector(b, Full.StartRatiosVector, b.PrependFloat64, [0.1, -1e300])
        names = vector(b, Full.StartNamesVector, b.PrependUOffsetTRelative, [b.CreateString(text) for text in ("a", "", "ccc")])
        mice = vector(b, Full.StartMiceVector, b.PrependUOffsetTRelative, [house, nobody])
        points = vector(b, Full.StartPointsVector, lambda point: Point.CreatePoint(b, *point), [LOW, HIGH])
    Full.Start(b)
    Full.AddName(b, name)
    if full:
        Full.AddOpen(b, True)
        Full.AddTiny(b, 1)
        Full.AddLow(b, 127)
        Full.AddNear(b, -32768)
        Full.AddPort(b, 65535)
        Full.AddNumber(b, -(2**31))
        Full.AddCount(b, 2**32 - 1)
        Full.AddFar(b, -(2**63))
        Full.AddWide(b, 1)
        Full.AddRatio(b, -0.25)
        Full.AddExact(b, 1 / 3)
        Full.AddMaybe(b, 0)
        Full.AddColour(b, Colour.Colour.Green)
        Full.AddFoods(b, Food.Food.Grass | Food.Food.Meat)
        Full.AddBox(b, Box.CreateBox(b, *LOW, *HIGH, 4_000_000_000, Colour.Colour.Red))
        Full.AddAnimalType(b, Animal.Animal.Lion)
        Full.AddAnimal(b, lion)
        Full.AddBest(b, house)
        Full.AddBytes(b, data)
        Full.AddNumbers(b, numbers)
        Full.AddFlags(b, flags)
        Full.AddColours(b, colours)
        Full.AddRatios(b, ratios)
        Full.AddNames(b, names)
        Full.AddMice(b, mice)
        Full.AddPoints(b, points)
    return Full.End(b)


def vector(b, start, prepend, values):
    start(b, len(values))
    for value in reversed(values):
        prepend(value)
    return b.EndVector()


def written(kind):
    b = flatbuffers.Builder(0)
    b.Finish(build(b, kind == "full"), b"FULL")
    return bytes(b.Output())


def check(kind, message):
    same(True, Full.Full.FullBufferHasIdentifier(message, 0))
    z = Full.Full.GetRootAs(message, 0)
    scalars = [z.Open(), z.Tiny(), z.Low(), z.Near(), z.Port(), z.Number(), z.Count(), z.Far(), z.Wide(), z.Ratio(), z.Exact()]
    others = [z.Maybe(), z.Colour(), z.Foods(), z.Name().decode(), z.AnimalType()]
    lengths = [z.BytesLength(), z.NumbersLength(), z.NamesLength(), z.MiceLength(), z.PointsLength()]
    if kind == "least":
        same([False, 200, -128, 16, 8000, -5, 0, 0, 2**64 - 1, 1.5, 0.0], scalars)
        same([None, 7, 4, "", 0], others)
        same([None, None, None], [z.Box(), z.Animal(), z.Best()])
        same([0] * 5, lengths)
        return
    same([True, 1, 127, -32768, 65535, -(2**31), 2**32 - 1, -(2**63), 1, -0.25, 1 / 3], scalars)
    same([0, Colour.Colour.Green, 3, NAME, Animal.Animal.Lion], others)
    box = z.Box()
    same([LOW, HIGH, 4_000_000_000, -1], [point(box.Low(Point.Point())), point(box.High(Point.Point())), box.Number(), box.Colour()])
    animal, lion = z.Animal(), Lion.Lion()
    lion.Init(animal.Bytes, animal.Pos)
    same((28, b"Leo"), (lion.Teeth(), lion.Name()))
    same((b"house", False), (z.Best().Kind(), z.Best().Tame()))
    same([3, 3, 3, 2, 2], lengths)
    same([0, 1, 255], [z.Bytes(i) for i in range(3)])
    same([-(2**63), 0, 2**63 - 1], [z.Numbers(i) for i in range(3)])
    same([True, False, True], [bool(z.Flags(i)) for i in range(3)])
    same([-1, 7], [z.Colours(i) for i in range(z.ColoursLength())])
    same([0.1, -1e300], [z.Ratios(i) for i in range(z.RatiosLength())])
    same([b"a", b"", b"ccc"], [z.Names(i) for i in range(3)])
    same([(b"house", False), (None, True)], [(z.Mice(i).Kind(), z.Mice(i).Tame()) for i in range(2)])
    same([LOW, HIGH], [point(z.Points(i)) for i in range(2)])


def point(p):
    return (p.X(), p.At(), p.Z())


def same(expected, found):
    if expected != found:
        raise SystemExit(f"expected {expected!r}, found {found!r}")


def serve():
    """A server of gRPC whose messages are bytes: of FlatBuffers this one has no generated service."""

    def echo(request, context):
        kind = "full" if Full.Full.GetRootAs(request, 0).Name() else "least"
        try:
            check(kind, request)
        except SystemExit as wrong:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(wrong))
        return written(kind)

    server = grpc.server(futures.ThreadPoolExecutor(2))
    handlers = grpc.method_handlers_generic_handler("full.Keeper", {"Echo": grpc.unary_unary_rpc_method_handler(echo)})
    server.add_generic_rpc_handlers((handlers,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    threading.Event().wait()


def call(address):
    with grpc.insecure_channel(address) as channel:
        for kind in ("full", "least"):
            check(kind, channel.unary_unary(METHOD)(written(kind), timeout=10))


def main(words):
    match words:
        case ["write", kind, file]:
            Path(file).write_bytes(written(kind))
        case ["check", kind, file]:
            check(kind, Path(file).read_bytes())
        case ["serve"]:
            serve()
        case ["call", address]:
            call(address)


if __name__ == "__main__":
    main(sys.argv[1:])
