// The parts of an xDS test that are not ours, in one program:
//
//	xds control PORT     go-control-plane; 0: a port that is free. Lines of JSON come in, see control.go
//	xds server NAME      grpc.testing.TestService, which answers with NAME
//	xds client TARGET    grpc-go's own xDS client: the judge. Lines come in, see client.go
package main

import (
	"fmt"
	"net"
	"os"
)

func main() {
	arguments := os.Args[1:]
	if len(arguments) == 2 {
		switch arguments[0] {
		case "control":
			control(arguments[1])
			return
		case "server":
			testServer(arguments[1])
			return
		case "client":
			client(arguments[1])
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: xds control PORT | server NAME | client TARGET")
	os.Exit(2)
}

func listen(port string) net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("listening on", listener.Addr())
	return listener
}
