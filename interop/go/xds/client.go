package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	_ "google.golang.org/grpc/xds"
)

type result struct {
	Hosts map[string]int `json:"hosts"`
	Codes map[string]int `json:"codes"`
	// Of one call that failed.
	Text string `json:"text"`
}

// A line is a run of calls: words as KEY=VALUE. calls: how many; seconds: for how long, instead; parallel: callers, 4;
// timeout: of each call in ms, 5000; wait=1: for ready; every other word is a field of their metadata. A line of JSON answers it.
func client(target string) {
	connection, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stub := grpc_testing.NewTestServiceClient(connection)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		numbers := map[string]int{"calls": 0, "seconds": 0, "parallel": 4, "timeout": 5000, "wait": 0}
		fields := metadata.MD{}
		for _, word := range strings.Fields(lines.Text()) {
			name, value, _ := strings.Cut(word, "=")
			if _, is := numbers[name]; is {
				numbers[name], _ = strconv.Atoi(value)
			} else {
				fields.Append(name, value)
			}
		}
		text, _ := json.Marshal(run(stub, numbers, fields))
		fmt.Println(string(text))
	}
}

func run(stub grpc_testing.TestServiceClient, numbers map[string]int, fields metadata.MD) result {
	all := result{Hosts: map[string]int{}, Codes: map[string]int{}}
	left, end := numbers["calls"], time.Now().Add(time.Duration(numbers["seconds"])*time.Second)
	var lock sync.Mutex
	next := func() bool {
		lock.Lock()
		defer lock.Unlock()
		left--
		return left >= 0 || numbers["seconds"] > 0 && time.Now().Before(end)
	}
	var callers sync.WaitGroup
	for range numbers["parallel"] {
		callers.Add(1)
		go func() {
			defer callers.Done()
			for next() {
				limit := time.Duration(numbers["timeout"]) * time.Millisecond
				ctx, cancel := context.WithTimeout(metadata.NewOutgoingContext(context.Background(), fields), limit)
				reply, err := stub.UnaryCall(ctx, &grpc_testing.SimpleRequest{}, grpc.WaitForReady(numbers["wait"] == 1))
				cancel()
				lock.Lock()
				all.Codes[name(status.Code(err))]++
				if err == nil {
					all.Hosts[reply.Hostname]++
				} else {
					all.Text = err.Error()
				}
				lock.Unlock()
			}
		}()
	}
	callers.Wait()
	return all
}

// As gRPC's documents write it: DEADLINE_EXCEEDED.
func name(code codes.Code) string {
	if code == codes.OK {
		return "OK"
	}
	var name strings.Builder
	for i, letter := range code.String() {
		if i > 0 && unicode.IsUpper(letter) {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToUpper(letter))
	}
	return name.String()
}
