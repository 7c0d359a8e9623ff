// Go's net/http over HTTP/2 without TLS: `net-http client ADDRESS` makes checks and prints `pass NAME` or
// `FAIL NAME: reason`; `net-http server` echoes bodies,
// streams lines of JSON, and says where it listens.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const echo = "/example.EchoService/Echo"

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "client":
		os.Exit(client(os.Args[2]))
	case len(os.Args) == 2 && os.Args[1] == "server":
		server()
	default:
		fmt.Fprintln(os.Stderr, "usage: net-http client ADDRESS | net-http server")
		os.Exit(2)
	}
}

func protocols() *http.Protocols {
	only := new(http.Protocols)
	only.SetUnencryptedHTTP2(true)
	return only
}

// Says the message of the request as often as it asks, as lines or events, piece by piece; "fail" breaks off behind that.
func repeat(w http.ResponseWriter, r *http.Request, body []byte) {
	var asked struct {
		Message string
		Count   int
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	events := strings.HasPrefix(r.Header.Get("Accept"), "text/event-stream")
	contentType, before, behind := "application/x-ndjson; charset=utf-8", "", "\n"
	if events {
		contentType, before, behind = "text/event-stream", ": comment\nid: 1\ndata: ", "\n\n"
	}
	w.Header().Set("Content-Type", contentType)
	line, _ := json.Marshal(map[string]string{"message": asked.Message})
	flush := http.NewResponseController(w).Flush
	for n := 0; n < asked.Count; n++ {
		fmt.Fprint(w, before)
		flush()
		fmt.Fprint(w, string(line), behind)
		flush()
	}
	if asked.Message == "fail" {
		panic(http.ErrAbortHandler)
	}
}

func server() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("listening on", listener.Addr())
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/Repeat") {
			repeat(w, r, body)
			return
		}
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		w.Write(body)
	})
	both := protocols()
	both.SetHTTP1(true)
	panic((&http.Server{Handler: handler, Protocols: both}).Serve(listener))
}

func client(address string) int {
	failed := 0
	check := func(name string, run func() error) {
		if err := run(); err != nil {
			failed = 1
			fmt.Printf("FAIL %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Printf("pass %s\n", name)
		}
	}
	peer := &http.Client{Transport: &http.Transport{Protocols: protocols()}, Timeout: 30 * time.Second}
	base := "http://" + address

	check("a call", func() error { return call(peer, base, "hi") })
	check("a megabyte there and back", func() error { return call(peer, base, strings.Repeat("x", 1<<20)) })
	check("two hundred callers on one connection", func() error {
		errors := make([]error, 200)
		var all sync.WaitGroup
		for n := range errors {
			all.Add(1)
			go func() {
				defer all.Done()
				for round := 0; round < 20 && errors[n] == nil; round++ {
					errors[n] = call(peer, base, fmt.Sprintf("%d %d %s", n, round, strings.Repeat("x", n*13)))
				}
			}()
		}
		all.Wait()
		for _, err := range errors {
			if err != nil {
				return err
			}
		}
		return nil
	})
	check("calls given up do not harm the connection", func() error {
		for n := 0; n < 100; n++ {
			short, cancel := context.WithTimeout(context.Background(), time.Duration(n)*10*time.Microsecond)
			request, _ := http.NewRequestWithContext(short, "POST", base+echo, strings.NewReader(`{"message":"x"}`))
			if reply, err := peer.Do(request); err == nil {
				reply.Body.Close()
			}
			cancel()
		}
		return call(peer, base, "after")
	})
	check("an unknown method is 404", func() error {
		reply, err := peer.Get(base + "/example.EchoService/Nope")
		if err != nil {
			return err
		}
		defer reply.Body.Close()
		if reply.StatusCode != 404 || reply.ProtoMajor != 2 {
			return fmt.Errorf("%s %s", reply.Proto, reply.Status)
		}
		return nil
	})
	return failed
}

func call(peer *http.Client, base, message string) error {
	body, _ := json.Marshal(map[string]string{"message": message})
	reply, err := peer.Post(base+echo, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	var found map[string]string
	if err := json.NewDecoder(reply.Body).Decode(&found); err != nil {
		return err
	}
	if reply.ProtoMajor != 2 || reply.StatusCode != 200 || found["message"] != message {
		return fmt.Errorf("%s %s, %d bytes", reply.Proto, reply.Status, len(found["message"]))
	}
	return nil
}
