// The demo's EchoService and StreamService over grpc-go, as it comes: its defaults on both sides, except that messages may
// be long.
//
//	grpc_go_echo serve [--rounds N]                            prints "listening on 127.0.0.1:PORT"
//	grpc_go_echo press --server ADDR [--kind unary|repeat|collect|chat] [--messages N] [--callers N] [--connections C]
//	                   [--bytes B] [--duration S]
//	grpc_go_echo gateway --to ADDR                             JSON over HTTP in front of such a server
//	grpc_go_echo open --servers ADDR,ADDR,.. [--outliers 0|1] [--rate R] [--duration S] [--timeout MS]
//
// The report has the fields of the other programs' reports. Built by the script `build` beside this file.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"math/bits"
	"os"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"polywire.example/bench/grpc_go/made/example"
)

const maxMessage = 64 << 20

func main() {
	log.SetFlags(0)
	log.SetPrefix("grpc_go_echo: ")
	verb := ""
	if len(os.Args) > 1 {
		verb = os.Args[1]
	}
	switch verb {
	case "serve":
		serve(os.Args[2:])
	case "press":
		press(os.Args[2:])
	case "open":
		open(os.Args[2:])
	case "gateway":
		gateway(os.Args[2:])
	default:
		log.Fatal("usage: grpc_go_echo serve | press --server ADDR ... | open --servers ADDR,.. ... | gateway --to ADDR")
	}
}

func serve(args []string) {
	if len(args) == 2 && args[0] == "--rounds" {
		var err error
		if rounds, err = strconv.ParseUint(args[1], 10, 64); err != nil {
			log.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage))
	example.RegisterEchoServiceServer(server, echo{})
	example.RegisterStreamServiceServer(server, streams{})
	fmt.Printf("listening on %s\n", listener.Addr())
	log.Fatal(server.Serve(listener))
}

type echo struct {
	example.UnimplementedEchoServiceServer
}

// How many rounds Echo computes before it answers.
var rounds uint64

// The arithmetic of bench/src/bin/overload.
func compute(rounds uint64) uint64 {
	value := uint64(0x9e3779b97f4a7c15)
	for round := range rounds {
		value = bits.RotateLeft64(value*0x2545f4914f6cdd1d, 17) ^ round
	}
	return value
}

// Sink keeps the result from being left out.
var sink uint64

func (echo) Echo(_ context.Context, request *example.EchoRequest) (*example.EchoResponse, error) {
	if rounds > 0 {
		if value := compute(rounds); value == 0 {
			sink = value
		}
	}
	return &example.EchoResponse{Message: proto.String(request.GetMessage())}, nil
}

type streams struct {
	example.UnimplementedStreamServiceServer
}

// Repeat does not look at interval_ms: loads do not set it.
func (streams) Repeat(request *example.RepeatRequest, out grpc.ServerStreamingServer[example.Line]) error {
	for range request.GetCount() {
		if err := out.Send(&example.Line{Message: request.GetMessage()}); err != nil {
			return err
		}
	}
	return nil
}

func (streams) Collect(in grpc.ClientStreamingServer[example.Line, example.Heard]) error {
	heard := &example.Heard{}
	for {
		line, err := in.Recv()
		if err == io.EOF {
			return in.SendAndClose(heard)
		}
		if err != nil {
			return err
		}
		heard.Messages++
		heard.Bytes += uint64(len(line.GetMessage()))
	}
}

func (streams) Chat(both grpc.BidiStreamingServer[example.Line, example.Line]) error {
	for {
		line, err := both.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := both.Send(line); err != nil {
			return err
		}
	}
}
