package main

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/interop/grpc_testing"
)

type named struct {
	grpc_testing.UnimplementedTestServiceServer
	name string
}

func (s named) UnaryCall(context.Context, *grpc_testing.SimpleRequest) (*grpc_testing.SimpleResponse, error) {
	return &grpc_testing.SimpleResponse{Hostname: s.name}, nil
}

func testServer(name string) {
	listener := listen("0")
	serving := grpc.NewServer()
	grpc_testing.RegisterTestServiceServer(serving, named{name: name})
	serving.Serve(listener)
}
