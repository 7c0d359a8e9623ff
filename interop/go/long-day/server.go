package main

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/encoding/protowire"
)

// The connections that there have been: `counted` to Echo tells.
type counter struct{ connections atomic.Int64 }

func (*counter) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (*counter) HandleRPC(context.Context, stats.RPCStats)                         {}
func (*counter) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (c *counter) HandleConn(_ context.Context, s stats.ConnStats) {
	if _, begins := s.(*stats.ConnBegin); begins {
		c.connections.Add(1)
	}
}

// A grpc-go server of the demo services that allows so many streams, and says goodbye to connections that are older than the age.
func server(streams uint32, ageMs int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	seen := &counter{}
	options := []grpc.ServerOption{grpc.ForceServerCodec(bytesCodec{}), grpc.StatsHandler(seen), grpc.UnknownServiceHandler(seen.handle)}
	if streams > 0 {
		options = append(options, grpc.MaxConcurrentStreams(streams))
	}
	if ageMs > 0 {
		age := time.Duration(ageMs) * time.Millisecond
		options = append(options, grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionAge: age}))
	}
	fmt.Println("listening on", listener.Addr())
	panic(grpc.NewServer(options...).Serve(listener))
}

func (c *counter) handle(_ any, stream grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(stream)
	heard := 0
	for {
		var message []byte
		if err := stream.RecvMsg(&message); err != nil {
			break
		}
		heard++
		if err := c.answer(method, message, stream); err != nil {
			return err
		}
	}
	if !strings.HasSuffix(method, "/Collect") {
		return nil
	}
	counted := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(heard))
	return stream.SendMsg(&counted)
}

func (c *counter) answer(method string, message []byte, stream grpc.ServerStream) error {
	text, numbers := read(message)
	switch {
	case strings.HasSuffix(method, "/Collect"):
		return nil
	case strings.HasSuffix(method, "/Repeat"):
		reply := line(text)
		for n := range numbers[2] {
			if n > 0 {
				time.Sleep(time.Duration(numbers[3]) * time.Millisecond)
			}
			if err := stream.SendMsg(&reply); err != nil {
				return err
			}
		}
		return nil
	case text == "counted":
		message = line(fmt.Sprint(c.connections.Load()))
	case strings.HasPrefix(text, "metadata "):
		bytes, _ := strconv.Atoi(text[len("metadata "):])
		if err := stream.SendHeader(metadata.Pairs("x-long", strings.Repeat("x", bytes))); err != nil {
			return err
		}
	}
	return stream.SendMsg(&message)
}
