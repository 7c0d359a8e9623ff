// FlatBuffers' runtime for Go: write|check full|least FILE, serve, call ADDRESS. The package full is what flatc makes.
package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"reflect"

	flatbuffers "github.com/google/flatbuffers/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"

	"polywire.example/interop/flatbuffers/full"
)

const (
	name   = "Grüße, 你好"
	method = "/full.Keeper/Echo"
)

type place struct {
	x  int8
	at float64
	z  int16
}

var (
	low     = place{-1, 2.5, 3}
	high    = place{4, -0.125, -300}
	bytes   = []byte{0, 1, 255}
	numbers = []int64{math.MinInt64, 0, math.MaxInt64}
	flags   = []bool{true, false, true}
	colours = []full.Colour{full.ColourRed, full.ColourBlue}
	ratios  = []float64{0.1, -1e300}
	names   = []string{"a", "", "ccc"}
	places  = []place{low, high}
)

func vector[T any](b *flatbuffers.Builder, start func(*flatbuffers.Builder, int) flatbuffers.UOffsetT, put func(T), values []T) flatbuffers.UOffsetT {
	start(b, len(values))
	for i := len(values) - 1; i >= 0; i-- {
		put(values[i])
	}
	return b.EndVector(len(values))
}

func build(b *flatbuffers.Builder, everything bool) flatbuffers.UOffsetT {
	if !everything {
		text := b.CreateString("")
		full.FullStart(b)
		full.FullAddName(b, text)
		return full.FullEnd(b)
	}
	text := b.CreateString(name)
	leo := b.CreateString("Leo")
	full.LionStart(b)
	full.LionAddTeeth(b, 28)
	full.LionAddName(b, leo)
	lion := full.LionEnd(b)
	kind := b.CreateString("house")
	full.MouseStart(b)
	full.MouseAddKind(b, kind)
	full.MouseAddTame(b, false)
	house := full.MouseEnd(b)
	full.MouseStart(b)
	nobody := full.MouseEnd(b)
	data := b.CreateByteVector(bytes)
	longs := vector(b, full.FullStartNumbersVector, b.PrependInt64, numbers)
	bools := vector(b, full.FullStartFlagsVector, b.PrependBool, flags)
	enums := vector(b, full.FullStartColoursVector, func(c full.Colour) { b.PrependInt8(int8(c)) }, colours)
	doubles := vector(b, full.FullStartRatiosVector, b.PrependFloat64, ratios)
	var texts []flatbuffers.UOffsetT
	for _, text := range names {
		texts = append(texts, b.CreateString(text))
	}
	strings := vector(b, full.FullStartNamesVector, func(at flatbuffers.UOffsetT) { b.PrependUOffsetT(at) }, texts)
	mice := vector(b, full.FullStartMiceVector, func(at flatbuffers.UOffsetT) { b.PrependUOffsetT(at) }, []flatbuffers.UOffsetT{house, nobody})
	points := vector(b, full.FullStartPointsVector, func(p place) { full.CreatePoint(b, p.x, p.at, p.z) }, places)
	full.FullStart(b)
	full.FullAddOpen(b, true)
	full.FullAddTiny(b, 1)
	full.FullAddLow(b, 127)
	full.FullAddNear(b, -32768)
	full.FullAddPort(b, 65535)
	full.FullAddNumber(b, math.MinInt32)
	full.FullAddCount(b, math.MaxUint32)
	full.FullAddFar(b, math.MinInt64)
	full.FullAddWide(b, 1)
	full.FullAddRatio(b, -0.25)
	full.FullAddExact(b, 1.0/3)
	full.FullAddMaybe(b, 0)
	full.FullAddColour(b, full.ColourGreen)
	full.FullAddFoods(b, full.FoodGrass|full.FoodMeat)
	full.FullAddName(b, text)
	full.FullAddBox(b, full.CreateBox(b, low.x, low.at, low.z, high.x, high.at, high.z, 4_000_000_000, full.ColourRed))
	full.FullAddAnimalType(b, full.AnimalLion)
	full.FullAddAnimal(b, lion)
	full.FullAddBest(b, house)
	full.FullAddBytes(b, data)
	full.FullAddNumbers(b, longs)
	full.FullAddFlags(b, bools)
	full.FullAddColours(b, enums)
	full.FullAddRatios(b, doubles)
	full.FullAddNames(b, strings)
	full.FullAddMice(b, mice)
	full.FullAddPoints(b, points)
	return full.FullEnd(b)
}

func written(everything bool) *flatbuffers.Builder {
	b := flatbuffers.NewBuilder(0)
	b.FinishWithFileIdentifier(build(b, everything), []byte("FULL"))
	return b
}

// What a message says, in one value that can be compared.
func said(f *full.Full) []any {
	seen := []any{f.Open(), f.Tiny(), f.Low(), f.Near(), f.Port(), f.Number(), f.Count(), f.Far(), f.Wide(), f.Ratio(), f.Exact()}
	seen = append(seen, f.Maybe() != nil && *f.Maybe() == 0, f.Colour(), f.Foods(), string(f.Name()), f.AnimalType())
	if box := f.Box(nil); box != nil {
		seen = append(seen, read(box.Low(nil)), read(box.High(nil)), box.Number(), box.Colour())
	}
	var table flatbuffers.Table
	if f.Animal(&table) {
		var lion full.Lion
		lion.Init(table.Bytes, table.Pos)
		seen = append(seen, lion.Teeth(), string(lion.Name()))
	}
	if best := f.Best(nil); best != nil {
		seen = append(seen, string(best.Kind()), best.Tame())
	}
	seen = append(seen, string(f.BytesBytes()))
	for i := range f.NumbersLength() {
		seen = append(seen, f.Numbers(i))
	}
	for i := range f.FlagsLength() {
		seen = append(seen, f.Flags(i))
	}
	for i := range f.ColoursLength() {
		seen = append(seen, f.Colours(i))
	}
	for i := range f.RatiosLength() {
		seen = append(seen, f.Ratios(i))
	}
	for i := range f.NamesLength() {
		seen = append(seen, string(f.Names(i)))
	}
	for i := range f.MiceLength() {
		var mouse full.Mouse
		f.Mice(&mouse, i)
		seen = append(seen, string(mouse.Kind()), mouse.Tame())
	}
	for i := range f.PointsLength() {
		var point full.Point
		f.Points(&point, i)
		seen = append(seen, read(&point))
	}
	return seen
}

func read(p *full.Point) place { return place{p.X(), p.At(), p.Z()} }

var expected = map[bool][]any{
	false: {
		false, byte(200), int8(-128), int16(16), uint16(8000), int32(-5), uint32(0), int64(0), uint64(math.MaxUint64),
		float32(1.5), 0.0, false, full.ColourBlue, full.FoodFish, "", full.AnimalNONE, "",
	},
	true: {
		true, byte(1), int8(127), int16(-32768), uint16(65535), int32(math.MinInt32), uint32(math.MaxUint32),
		int64(math.MinInt64), uint64(1), float32(-0.25), 1.0 / 3, true, full.ColourGreen, full.FoodGrass | full.FoodMeat, name,
		full.AnimalLion, low, high, uint32(4_000_000_000), full.ColourRed, int32(28), "Leo", "house", false, "\x00\x01\xff",
		int64(math.MinInt64), int64(0), int64(math.MaxInt64), true, false, true, full.ColourRed, full.ColourBlue, 0.1, -1e300,
		"a", "", "ccc", "house", false, "", true, low, high,
	},
}

func check(everything bool, message *full.Full) error {
	if found := said(message); !reflect.DeepEqual(expected[everything], found) {
		return fmt.Errorf("expected %v, found %v", expected[everything], found)
	}
	return nil
}

// The service: flatc's generated one needs the same few lines, and a flag of its own.
func echo(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	var request full.Full
	if err := decode(&request); err != nil {
		return nil, err
	}
	everything := len(request.Name()) > 0
	return written(everything), check(everything, &request)
}

func serve() error {
	encoding.RegisterCodec(flatbuffers.FlatbuffersCodec{})
	server := grpc.NewServer()
	methods := []grpc.MethodDesc{{MethodName: "Echo", Handler: echo}}
	server.RegisterService(&grpc.ServiceDesc{ServiceName: "full.Keeper", HandlerType: (*any)(nil), Methods: methods}, struct{}{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	return server.Serve(listener)
}

func call(address string) error {
	channel, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	for everything := range expected {
		var reply full.Full
		codec := grpc.ForceCodec(flatbuffers.FlatbuffersCodec{}) // application/grpc+flatbuffers
		if err := channel.Invoke(context.Background(), method, written(everything), &reply, codec); err != nil {
			return err
		}
		if err := check(everything, &reply); err != nil {
			return err
		}
	}
	return nil
}

func run(words []string) error {
	switch words[0] {
	case "write":
		return os.WriteFile(words[2], written(words[1] == "full").FinishedBytes(), 0o644)
	case "check":
		message, err := os.ReadFile(words[2])
		if err != nil {
			return err
		}
		return check(words[1] == "full", full.GetRootAsFull(message, 0))
	case "serve":
		return serve()
	default:
		return call(words[1])
	}
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
