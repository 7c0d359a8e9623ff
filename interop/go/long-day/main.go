// Go's clients of a server, and a server for its clients, for loads that last: grpc-go, connect-go and net/http over HTTP/2.
// `long-day client ADDRESS BUSY SCALE` prints `pass NAME` or `FAIL NAME: reason` for each load; BUSY is the address of a
// server that refuses calls. `long-day server STREAMS AGE_MS` says where it listens.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

func main() {
	switch {
	case len(os.Args) == 5 && os.Args[1] == "client":
		scale, _ := strconv.Atoi(os.Args[4])
		os.Exit(client(os.Args[2], os.Args[3], scale))
	case len(os.Args) == 4 && os.Args[1] == "server":
		streams, _ := strconv.Atoi(os.Args[2])
		age, _ := strconv.Atoi(os.Args[3])
		server(uint32(streams), age)
	default:
		fmt.Fprintln(os.Stderr, "usage: long-day client ADDRESS BUSY SCALE | long-day server STREAMS AGE_MS")
		os.Exit(2)
	}
}

// Messages as they are on the wire, for grpc-go and for connect-go.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (bytesCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}
func (bytesCodec) Name() string { return "proto" }

// EchoRequest, EchoResponse and Line.
func line(text string) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), text)
}

// RepeatRequest.
func repeat(text string, count, intervalMs int) []byte {
	b := protowire.AppendVarint(protowire.AppendTag(line(text), 2, protowire.VarintType), uint64(count))
	return protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), uint64(intervalMs))
}

// The text and the numbers of any of the messages.
func read(b []byte) (text string, numbers [4]uint64) {
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 || field > 3 {
			return "no message", numbers
		}
		b = b[n:]
		if kind == protowire.BytesType {
			var found []byte
			found, n = protowire.ConsumeBytes(b)
			text = string(found)
		} else {
			numbers[field], n = protowire.ConsumeVarint(b)
		}
		if n < 0 {
			return "no message", numbers
		}
		b = b[n:]
	}
	return text, numbers
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", " ") }
