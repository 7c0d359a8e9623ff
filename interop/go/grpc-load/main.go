// Calls a method of a server by grpc-go without pause, from several callers on one channel, until its input ends. Then it prints
// a line of JSON for each call: when it began in seconds since 1970, and what went wrong.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// The bytes of a message as they are.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (bytesCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}
func (bytesCodec) Name() string { return "proto" }

type call struct {
	At    float64 `json:"at"`
	Error string  `json:"error"`
}

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: grpc-load ADDRESS METHOD MESSAGE CALLERS")
		os.Exit(2)
	}
	address, method, message := os.Args[1], os.Args[2], []byte(os.Args[3])
	callers, _ := strconv.Atoi(os.Args[4])
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var stopped atomic.Bool
	var lock sync.Mutex
	var wait sync.WaitGroup
	output := json.NewEncoder(os.Stdout)
	calls := make([]call, 0, 1<<16)
	for range callers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for !stopped.Load() {
				began := time.Now()
				wrong := one(connection, method, message)
				lock.Lock()
				calls = append(calls, call{float64(began.UnixMicro()) / 1e6, wrong})
				lock.Unlock()
				if wrong != "" {
					time.Sleep(10 * time.Millisecond)
				}
			}
		}()
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	stopped.Store(true)
	wait.Wait()
	for _, one := range calls {
		_ = output.Encode(one)
	}
}

func one(connection *grpc.ClientConn, method string, message []byte) string {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var reply []byte
	if err := connection.Invoke(ctx, method, &message, &reply, grpc.ForceCodec(bytesCodec{})); err != nil {
		return err.Error()
	}
	if string(reply) != string(message) {
		return fmt.Sprintf("another answer: %q", reply)
	}
	return ""
}
