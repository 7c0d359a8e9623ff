package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"
	_ "google.golang.org/grpc/xds" // has outlier detection, which works without a control plane
	"google.golang.org/protobuf/proto"

	"polywire.example/bench/grpc_go/made/example"
)

const roundRobin = `{"loadBalancingConfig":[{"round_robin":{}}]}`

// As ours in bench/src/bin/faults/press.rs.
const outlierDetection = `{"loadBalancingConfig":[{"outlier_detection_experimental":{
	"interval":"1s","baseEjectionTime":"5s",
	"failurePercentageEjection":{"threshold":50,"enforcementPercentage":100,"requestVolume":10},
	"childPolicy":[{"round_robin":{}}]}}]}`

// open is an open loop: each call is made at its time, whatever became of the ones before. It prints what `faults press` does.
func open(args []string) {
	// ends when the process ends that started it
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
	flags := flag.NewFlagSet("open", flag.ExitOnError)
	servers := flags.String("servers", "", "HOST:PORT,HOST:PORT,..; a line of stdin names others")
	outliers := flags.Int("outliers", 0, "1 for outlier detection")
	rate := flags.Float64("rate", 1000, "calls per second")
	duration := flags.Float64("duration", 10, "seconds")
	timeout := flags.Int("timeout", 2000, "milliseconds of a call")
	_ = flags.Parse(args) // it ends the program itself
	config := roundRobin
	if *outliers != 0 {
		config = outlierDetection
	}
	connection := balanced(strings.Split(*servers, ","), config)
	client := example.NewEchoServiceClient(connection)
	request := &example.EchoRequest{Message: proto.String(strings.Repeat("x", 100))}
	limit := time.Duration(*timeout) * time.Millisecond

	var ended []string
	var lock sync.Mutex
	var calls sync.WaitGroup
	fmt.Println("begun")
	began := time.Now()
	gap := time.Duration(float64(time.Second) / *rate)
	end := time.Duration(*duration * float64(time.Second))
	for at := time.Duration(0); at < end; at += gap {
		planned := began.Add(at)
		time.Sleep(time.Until(planned))
		calls.Go(func() {
			ctx, cancel := context.WithDeadline(context.Background(), planned.Add(limit))
			_, err := client.Echo(ctx, request)
			cancel()
			took := time.Since(planned)
			lock.Lock()
			ended = append(ended, fmt.Sprintf("%d %d %d", at.Microseconds(), took.Microseconds(), status.Code(err)))
			lock.Unlock()
		})
	}
	calls.Wait()
	fmt.Println(strings.Join(ended, "\n"))
}

// balanced is a connection to all servers, by a resolver that names these, then those that each line of stdin names.
func balanced(servers []string, config string) *grpc.ClientConn {
	named := manual.NewBuilderWithScheme("servers")
	named.InitialState(state(servers))
	connection, err := grpc.NewClient("servers:///all", grpc.WithResolvers(named),
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultServiceConfig(config))
	if err != nil {
		log.Fatal(err)
	}
	connection.Connect()
	go func() {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			named.UpdateState(state(strings.Split(lines.Text(), ",")))
		}
	}()
	return connection
}

func state(servers []string) (state resolver.State) {
	for _, server := range servers {
		state.Endpoints = append(state.Endpoints, resolver.Endpoint{Addresses: []resolver.Address{{Addr: server}}})
	}
	return state
}
