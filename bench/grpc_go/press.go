package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"polywire.example/bench/grpc_go/made/example"
)

// load is a closed loop: callers share connections, each has one call under way.
type load struct {
	server, kind         string
	callers, connections int
	bytes, messages      int
	duration             float64
}

// seen is what one caller saw.
type seen struct {
	latencies []time.Duration
	errors    int
}

func press(args []string) {
	var l load
	flags := flag.NewFlagSet("press", flag.ExitOnError)
	flags.StringVar(&l.server, "server", "", "HOST:PORT")
	flags.StringVar(&l.kind, "kind", "unary", "unary, repeat, collect or chat")
	flags.IntVar(&l.callers, "callers", 1, "calls under way at once")
	flags.IntVar(&l.connections, "connections", 1, "shared by the callers")
	flags.IntVar(&l.bytes, "bytes", 100, "of a message")
	flags.IntVar(&l.messages, "messages", 100, "of a call that streams")
	flags.Float64Var(&l.duration, "duration", 2, "seconds")
	_ = flags.Parse(args) // it ends the program itself
	l.run()
}

func (l *load) run() {
	connections := make([]*grpc.ClientConn, l.connections)
	for n := range connections {
		connections[n] = connect(l.server)
	}
	all := make([]seen, l.callers)
	var calling sync.WaitGroup
	began, cpu := time.Now(), cpuTime()
	end := began.Add(time.Duration(l.duration * float64(time.Second)))
	for n := range all {
		calling.Go(func() { all[n] = l.calls(connections[n%len(connections)], end) })
	}
	calling.Wait()
	l.report(all, time.Since(began), cpuTime()-cpu)
}

func connect(server string) *grpc.ClientConn {
	connection, err := grpc.NewClient(server, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)))
	if err != nil {
		log.Fatal(err)
	}
	connection.Connect()
	for state := connection.GetState(); state.String() != "READY"; state = connection.GetState() {
		connection.WaitForStateChange(context.Background(), state)
	}
	return connection
}

func (l *load) calls(connection *grpc.ClientConn, end time.Time) (s seen) {
	call := l.caller(connection)
	for sent := time.Now(); sent.Before(end); sent = time.Now() {
		if call() == nil {
			s.latencies = append(s.latencies, time.Since(sent))
		} else {
			s.errors++
		}
	}
	return s
}

// caller hands back one call with all its messages.
func (l *load) caller(connection *grpc.ClientConn) func() error {
	message := strings.Repeat("x", l.bytes)
	line := &example.Line{Message: message}
	unary, streams := example.NewEchoServiceClient(connection), example.NewStreamServiceClient(connection)
	ctx := context.Background()
	switch l.kind {
	case "unary":
		request := &example.EchoRequest{Message: proto.String(message)}
		return func() error {
			_, err := unary.Echo(ctx, request)
			return err
		}
	case "repeat":
		return func() error { return repeat(ctx, streams, message, l.messages) }
	case "collect":
		return func() error { return collect(ctx, streams, line, l.messages) }
	case "chat":
		return func() error { return chat(ctx, streams, line, l.messages) }
	}
	log.Fatalf("--kind %s makes no sense", l.kind)
	return nil
}

func repeat(ctx context.Context, streams example.StreamServiceClient, message string, count int) error {
	answers, err := streams.Repeat(ctx, &example.RepeatRequest{Message: message, Count: uint32(count)})
	for err == nil {
		_, err = answers.Recv()
	}
	return end(err)
}

func collect(ctx context.Context, streams example.StreamServiceClient, line *example.Line, count int) error {
	said, err := streams.Collect(ctx)
	for n := 0; n < count && err == nil; n++ {
		err = said.Send(line)
	}
	if err != nil {
		return err
	}
	heard, err := said.CloseAndRecv()
	if err == nil && heard.GetMessages() != uint64(count) {
		err = errors.New("it heard less")
	}
	return err
}

func chat(ctx context.Context, streams example.StreamServiceClient, line *example.Line, count int) error {
	both, err := streams.Chat(ctx)
	for n := 0; n < count && err == nil; n++ {
		if err = both.Send(line); err == nil {
			_, err = both.Recv()
		}
	}
	if err != nil {
		return err
	}
	if err = both.CloseSend(); err == nil {
		_, err = both.Recv()
	}
	return end(err)
}

// end makes the end of a stream no error.
func end(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func (l *load) report(all []seen, took, cpu time.Duration) {
	var latencies []time.Duration
	var sum time.Duration
	failed := 0
	for _, s := range all {
		latencies = append(latencies, s.latencies...)
		failed += s.errors
	}
	slices.Sort(latencies)
	for _, latency := range latencies {
		sum += latency
	}
	calls := len(latencies)
	some := float64(max(calls, 1))
	us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
	at := func(q float64) float64 {
		if calls == 0 {
			return 0
		}
		return us(latencies[int(float64(calls-1)*q)])
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{ // a pipe that is gone wants no report
		"calls": calls + failed, "errors": failed,
		"calls_per_s": float64(calls) / took.Seconds(), "bytes_per_s": float64(calls*l.bytes) / took.Seconds(),
		"min_us": at(0), "avg_us": us(sum) / some, "p50_us": at(0.5), "p90_us": at(0.9), "p99_us": at(0.99),
		"p999_us": at(0.999), "max_us": at(1), "cpu_us_per_call": us(cpu) / some,
	})
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
