package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"polywire.example/bench/grpc_go/made/example"
)

// JSON over HTTP in front of a gRPC server: grpc-gateway's generated handlers, its defaults.
func gateway(args []string) {
	if len(args) != 2 || args[0] != "--to" {
		log.Fatal("usage: grpc_go_echo gateway --to ADDR")
	}
	server, err := grpc.NewClient(args[1], grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)))
	if err != nil {
		log.Fatal(err)
	}
	mux := runtime.NewServeMux()
	if err := example.RegisterEchoServiceHandler(context.Background(), mux, server); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	log.Fatal(http.Serve(listener, mux))
}
