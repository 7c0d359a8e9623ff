package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	echo    = "/example.EchoService/Echo"
	chat    = "/example.StreamService/Chat"
	collect = "/example.StreamService/Collect"
	repeats = "/example.StreamService/Repeat"
)

// What a load has done.
type done struct{ calls, messages atomic.Int64 }

type day struct {
	address, busy   string
	messages, calls int
	failed          int
	lock            sync.Mutex
}

func client(address, busy string, scale int) int {
	d := &day{address: address, busy: busy, messages: 10_000 * scale, calls: 1000 * scale}
	var aside sync.WaitGroup
	aside.Go(func() {
		d.grpc("grpc-go: a PING every 10 s, its fastest", d.keepalive, grpc.WithKeepaliveParams(
			keepalive.ClientParameters{Time: 10 * time.Second, PermitWithoutStream: true}))
	})
	d.grpc("grpc-go: ping-pong", func(c *peer) error { return c.pingPong(d.messages, 0) })
	d.grpc("grpc-go: ping-pong with pauses of 2 ms", func(c *peer) error { return c.pingPong(d.messages/10, 2*time.Millisecond) })
	d.grpc("grpc-go: 100 ping-pongs at once", func(c *peer) error {
		return atOnce(100, func(int) error { return c.pingPong(d.messages/100, 0) })
	})
	d.grpc("grpc-go: server stream", func(c *peer) error { return c.serverStream("x", d.messages, 0) })
	d.grpc("grpc-go: server stream with pauses of 1 ms", func(c *peer) error { return c.serverStream("x", d.messages/10, 1) })
	d.grpc("grpc-go: client stream", func(c *peer) error { return c.clientStream(d.messages) })
	d.grpc("grpc-go: unary, ten callers", func(c *peer) error {
		return atOnce(10, func(caller int) error { return c.unary(d.calls/10, fmt.Sprint("caller ", caller)) })
	})
	d.grpc("grpc-go: metadata of 8, 17 and 40 KB beside a stream", func(c *peer) error { return c.beside(d.metadata) })
	d.grpc("grpc-go: 500 cancels a second beside a stream", func(c *peer) error { return c.beside(d.cancels) })
	d.grpc("grpc-go: deadlines that expire beside a stream", func(c *peer) error { return c.beside(d.deadlines) })
	for _, window := range []int32{1 << 16, 1 << 20, 16 << 20} {
		d.grpc(fmt.Sprintf("grpc-go: a window of %d KiB", window>>10), func(c *peer) error {
			return c.serverStream(strings.Repeat("x", 100_000), d.messages/100, 0)
		}, grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window))
	}
	d.grpcTo(d.busy, "grpc-go: a server that refuses", d.refusals)
	d.connectGo()
	d.netHttp()
	aside.Wait()
	return d.failed
}

func (d *day) check(name string, run func(*done) error) {
	count := &done{}
	err := run(count)
	d.lock.Lock()
	defer d.lock.Unlock()
	if err != nil {
		d.failed = 1
		fmt.Printf("FAIL %s: after %d calls, %d messages: %s\n", name, count.calls.Load(), count.messages.Load(), oneLine(err))
	} else {
		fmt.Printf("pass %s | %d calls | %d messages\n", name, count.calls.Load(), count.messages.Load())
	}
}

// Runs it so many times at once; what went wrong first.
func atOnce(many int, run func(int) error) error {
	wrong := make(chan error, many)
	for n := range many {
		go func() { wrong <- run(n) }()
	}
	var first error
	for range many {
		if err := <-wrong; first == nil {
			first = err
		}
	}
	return first
}

// A connection of grpc-go.
type peer struct {
	*grpc.ClientConn
	*done
}

func (d *day) grpc(name string, run func(*peer) error, options ...grpc.DialOption) {
	d.grpcTo(d.address, name, run, options...)
}

// A load on one connection, which must be the only one.
func (d *day) grpcTo(address, name string, run func(*peer) error, options ...grpc.DialOption) {
	d.check(name, func(count *done) error {
		var dials atomic.Int64
		options = append(options, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.ForceCodec(bytesCodec{})),
			grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
				dials.Add(1)
				return new(net.Dialer).DialContext(ctx, "tcp", address)
			}))
		connection, err := grpc.NewClient("passthrough:///"+address, options...)
		if err != nil {
			return err
		}
		defer connection.Close()
		if err := run(&peer{connection, count}); err != nil {
			return err
		}
		if made := dials.Load(); made != 1 {
			return fmt.Errorf("%d connections in place of one", made)
		}
		return nil
	})
}

func (c *peer) open(ctx context.Context, method string) (grpc.ClientStream, error) {
	return c.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method)
}

// What a stream has ended with: a send says only that it has.
func ended(stream grpc.ClientStream, err error) error {
	if errors.Is(err, io.EOF) {
		var message []byte
		return stream.RecvMsg(&message)
	}
	return err
}

func (c *peer) pingPong(many int, pause time.Duration) error {
	return c.talk(pause, func(n int) bool { return n < many })
}

// Messages are sent and answered one by one while it goes on.
func (c *peer) talk(pause time.Duration, goesOn func(int) bool) error {
	stream, err := c.open(context.Background(), chat)
	if err != nil {
		return err
	}
	for n := 0; goesOn(n); n++ {
		text, answer := fmt.Sprint("message ", n), []byte(nil)
		message := line(text)
		if err := stream.SendMsg(&message); err != nil {
			return ended(stream, err)
		}
		if err := stream.RecvMsg(&answer); err != nil {
			return err
		}
		if found, _ := read(answer); found != text {
			return fmt.Errorf("%q was answered with %q", text, found)
		}
		c.messages.Add(1)
		time.Sleep(pause)
	}
	_ = stream.CloseSend()
	var more []byte
	if err := stream.RecvMsg(&more); err != io.EOF {
		return fmt.Errorf("no end: %v", err)
	}
	c.calls.Add(1)
	return nil
}

func (c *peer) serverStream(text string, many, intervalMs int) error {
	stream, err := c.open(context.Background(), repeats)
	if err != nil {
		return err
	}
	request, found := repeat(text, many, intervalMs), 0
	if err := stream.SendMsg(&request); err != nil {
		return ended(stream, err)
	}
	_ = stream.CloseSend()
	for {
		var message []byte
		if err := stream.RecvMsg(&message); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if said, _ := read(message); said != text {
			return fmt.Errorf("%.20q in place of %.20q", said, text)
		}
		found++
		c.messages.Add(1)
	}
	c.calls.Add(1)
	return same(many, found)
}

func (c *peer) clientStream(many int) error {
	stream, err := c.open(context.Background(), collect)
	if err != nil {
		return err
	}
	message, answer := line("x"), []byte(nil)
	for range many {
		if err := stream.SendMsg(&message); err != nil {
			return ended(stream, err)
		}
		c.messages.Add(1)
	}
	_ = stream.CloseSend()
	if err := stream.RecvMsg(&answer); err != nil {
		return err
	}
	c.calls.Add(1)
	_, numbers := read(answer)
	return same(many, int(numbers[1]))
}

func same(wanted, found int) error {
	if wanted != found {
		return fmt.Errorf("%d messages of %d", found, wanted)
	}
	return nil
}

func (c *peer) echo(ctx context.Context, text string) error {
	request, reply := line(text), []byte(nil)
	if err := c.Invoke(ctx, echo, &request, &reply); err != nil {
		return err
	}
	c.calls.Add(1)
	if found, _ := read(reply); found != text {
		return fmt.Errorf("%q was answered with %q", text, found)
	}
	return nil
}

func (c *peer) unary(many int, text string) error {
	for n := range many {
		if err := c.echo(context.Background(), fmt.Sprint(text, ", call ", n)); err != nil {
			return err
		}
	}
	return nil
}

// Something rough, and a ping-pong on the same connection that it must not harm.
func (c *peer) beside(rough func(*peer) error) error {
	var over atomic.Bool
	witness := make(chan error, 1)
	go func() { witness <- c.talk(time.Millisecond, func(int) bool { return !over.Load() }) }()
	err := rough(c)
	over.Store(true)
	return errors.Join(err, <-witness)
}

// grpc-go does not send what is longer than the server has said that it takes.
func (d *day) metadata(c *peer) error {
	for n := range d.calls / 10 {
		for kilobytes, wanted := range map[int]codes.Code{8: codes.OK, 17: codes.Internal, 40: codes.Internal} {
			ctx := metadata.AppendToOutgoingContext(context.Background(), "x-long", strings.Repeat("x", kilobytes*1000))
			if err := c.echo(ctx, fmt.Sprint("call ", n)); status.Code(err) != wanted {
				return fmt.Errorf("%d KB: %v", kilobytes, err)
			}
		}
	}
	return nil
}

func (d *day) cancels(c *peer) error {
	for n := range d.calls {
		ctx, cancel := context.WithCancel(context.Background())
		stream, err := c.open(ctx, repeats)
		if err != nil {
			cancel()
			return err
		}
		request, message := repeat("x", 1000, 100), []byte(nil)
		err = errors.Join(stream.SendMsg(&request), stream.CloseSend())
		if n%2 == 0 && err == nil {
			err = stream.RecvMsg(&message)
		}
		cancel()
		if err != nil {
			return ended(stream, err)
		}
		c.calls.Add(1)
		time.Sleep(2 * time.Millisecond)
	}
	return nil
}

func (d *day) deadlines(c *peer) error {
	return atOnce(10, func(int) error {
		for range d.calls / 10 {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
			stream, err := c.open(ctx, repeats)
			request := repeat("x", 1000, 100)
			if err == nil {
				err = errors.Join(stream.SendMsg(&request), stream.CloseSend())
			}
			for err == nil {
				var message []byte
				err = stream.RecvMsg(&message)
			}
			if stream != nil {
				err = ended(stream, err)
			}
			cancel()
			if status.Code(err) != codes.DeadlineExceeded {
				return err
			}
			c.calls.Add(1)
		}
		return nil
	})
}

// Calls with nothing but PINGs between them.
func (d *day) keepalive(c *peer) error {
	for range 1 + d.calls/1000 {
		if err := c.unary(1, "now and then"); err != nil {
			return err
		}
		time.Sleep(11 * time.Second)
	}
	return c.unary(1, "at last")
}

func (d *day) refusals(c *peer) error {
	var refused atomic.Int64
	err := atOnce(20, func(int) error {
		for range d.calls / 20 {
			err := c.serverStream("x", 3, 1)
			if status.Code(err) == codes.ResourceExhausted || status.Code(err) == codes.Unavailable {
				refused.Add(1)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	if served := c.calls.Load(); err == nil && (served == 0 || refused.Load() == 0) {
		return fmt.Errorf("%d calls were served, %d were refused", served, refused.Load())
	}
	return err
}

// net/http and connect-go

// One connection at a time, and how many there have been.
func (d *day) transport(http2 *http.HTTP2Config) (*http.Client, *atomic.Int64) {
	dials := new(atomic.Int64)
	only := new(http.Protocols)
	only.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: only, HTTP2: http2,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			dials.Add(1)
			return new(net.Dialer).DialContext(ctx, "tcp", d.address)
		}}}, dials
}

func (d *day) over(name string, http2 *http.HTTP2Config, run func(*http.Client, *done) error) {
	d.check(name, func(count *done) error {
		peer, dials := d.transport(http2)
		defer peer.CloseIdleConnections()
		err := run(peer, count)
		if err == nil && dials.Load() != 1 {
			err = fmt.Errorf("%d connections in place of one", dials.Load())
		}
		return err
	})
}

func (d *day) connectGo() {
	base := "http://" + d.address
	raw := connect.WithCodec(bytesCodec{})
	background := context.Background()
	d.over("connect-go: ping-pong", nil, func(peer *http.Client, count *done) error {
		stream := connect.NewClient[[]byte, []byte](peer, base+chat, raw).CallBidiStream(background)
		for n := range d.messages {
			message := line(fmt.Sprint("message ", n))
			if err := stream.Send(&message); err != nil {
				_, err := stream.Receive()
				return err
			}
			answer, err := stream.Receive()
			if err != nil {
				return err
			}
			if !bytes.Equal(*answer, message) {
				return fmt.Errorf("message %d came back as %q", n, *answer)
			}
			count.messages.Add(1)
		}
		count.calls.Add(1)
		return errors.Join(stream.CloseRequest(), stream.CloseResponse())
	})
	d.over("connect-go: server stream", nil, func(peer *http.Client, count *done) error {
		request := repeat("x", d.messages, 0)
		stream, err := connect.NewClient[[]byte, []byte](peer, base+repeats, raw).CallServerStream(background, connect.NewRequest(&request))
		if err != nil {
			return err
		}
		for stream.Receive() {
			count.messages.Add(1)
		}
		count.calls.Add(1)
		return errors.Join(stream.Err(), same(d.messages, int(count.messages.Load())))
	})
	d.over("connect-go: client stream", nil, func(peer *http.Client, count *done) error {
		stream := connect.NewClient[[]byte, []byte](peer, base+collect, raw).CallClientStream(background)
		message := line("x")
		for range d.messages {
			if err := stream.Send(&message); err != nil {
				break
			}
			count.messages.Add(1)
		}
		answer, err := stream.CloseAndReceive()
		if err != nil {
			return err
		}
		count.calls.Add(1)
		_, numbers := read(*answer.Msg)
		return same(d.messages, int(numbers[1]))
	})
	d.over("connect-go: unary, one caller", nil, func(peer *http.Client, count *done) error {
		call := connect.NewClient[[]byte, []byte](peer, base+echo, raw)
		for n := range d.calls {
			message := line(fmt.Sprint("call ", n))
			answer, err := call.CallUnary(background, connect.NewRequest(&message))
			if err != nil {
				return err
			}
			if !bytes.Equal(*answer.Msg, message) {
				return fmt.Errorf("call %d was answered with %q", n, *answer.Msg)
			}
			count.calls.Add(1)
		}
		return nil
	})
}

func (d *day) netHttp() {
	d.over("net/http: calls", nil, func(peer *http.Client, count *done) error {
		for range d.calls {
			if err := call(peer, "http://"+d.address, "hi"); err != nil {
				return err
			}
			count.calls.Add(1)
		}
		return nil
	})
	d.over("net/http: a stream of lines", nil, func(peer *http.Client, count *done) error {
		request, _ := http.NewRequest("POST", "http://"+d.address+repeats, strings.NewReader(fmt.Sprintf(`{"message":"x","count":%d}`, d.messages)))
		request.Header.Set("content-type", "application/json")
		request.Header.Set("accept", "application/x-ndjson")
		reply, err := peer.Do(request)
		if err != nil {
			return err
		}
		defer reply.Body.Close()
		lines := bufio.NewScanner(reply.Body)
		for lines.Scan() {
			count.messages.Add(1)
		}
		count.calls.Add(1)
		return errors.Join(lines.Err(), same(d.messages, int(count.messages.Load())))
	})
	d.over("net/http: calls that are given up between others", nil, func(peer *http.Client, count *done) error {
		for n := range d.calls {
			short, cancel := context.WithTimeout(context.Background(), time.Duration(n%20)*100*time.Microsecond)
			request, _ := http.NewRequestWithContext(short, "POST", "http://"+d.address+echo, strings.NewReader(`{"message":"x"}`))
			request.Header.Set("content-type", "application/json")
			if reply, err := peer.Do(request); err == nil {
				reply.Body.Close()
			}
			cancel()
			if err := call(peer, "http://"+d.address, "after"); err != nil {
				return err
			}
			count.calls.Add(1)
		}
		return nil
	})
	d.over("net/http: a PING each second", &http.HTTP2Config{SendPingTimeout: time.Second}, func(peer *http.Client, count *done) error {
		for range 3 + d.calls/1000 {
			if err := call(peer, "http://"+d.address, "now and then"); err != nil {
				return err
			}
			count.calls.Add(1)
			time.Sleep(2500 * time.Millisecond)
		}
		return nil
	})
}

func call(peer *http.Client, base, message string) error {
	reply, err := peer.Post(base+echo, "application/json", strings.NewReader(fmt.Sprintf(`{"message":%q}`, message)))
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err == nil && (reply.StatusCode != 200 || string(body) != fmt.Sprintf(`{"message":%q}`, message)) {
		err = fmt.Errorf("%s: %q", reply.Status, body)
	}
	return err
}
