// Kitex over TTHeader, without generated code: `client ADDRESS` checks the server there and prints what `interop/run` reads, `serve KIND`
// is a server, of one call or (`multiplexed`) of many at a time on a connection.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bytedance/gopkg/cloud/metainfo"
	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/client/genericclient"
	"github.com/cloudwego/kitex/pkg/generic"
	"github.com/cloudwego/kitex/pkg/kerrors"
	"github.com/cloudwego/kitex/pkg/klog"
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/pkg/rpcinfo"
	"github.com/cloudwego/kitex/pkg/transmeta"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/server/genericserver"
	"github.com/cloudwego/kitex/transport"
)

// The service of `polywire serve`, and what only the server here has.
const file = `
struct Message { 1: string data }
service EchoService {
  Message Echo(1: Message request),
  Message Fields(1: Message request),
  Message Refuse(1: Message request),
  Message Fail(1: Message request),
  Message Nobody(1: Message request),
}`

func service() generic.Generic {
	provider, err := generic.NewThriftContentProvider(file, nil)
	end(err)
	service, err := generic.JSONThriftGeneric(provider)
	end(err)
	return service
}

func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func main() {
	klog.SetLevel(klog.LevelFatal)
	if len(os.Args) != 3 {
		end(fmt.Errorf("usage: kitex client ADDRESS | kitex serve single|multiplexed"))
	}
	if os.Args[1] == "serve" {
		serve(os.Args[2] == "multiplexed")
		return
	}
	failed := false
	for _, kind := range []string{"one call", "multiplexed"} {
		failed = checks(kind, os.Args[2]) || failed
	}
	if failed {
		os.Exit(1)
	}
}

type house struct{}

func (*house) GenericCall(ctx context.Context, method string, request any) (any, error) {
	switch method {
	case "Fields":
		metainfo.SendBackwardValue(ctx, "seen", "k")
		transient, _ := metainfo.GetValue(ctx, "user")
		persistent, _ := metainfo.GetPersistentValue(ctx, "team")
		info := rpcinfo.GetRPCInfo(ctx)
		limited := info.Config().RPCTimeout() > 0
		return text(fmt.Sprintf("%s %s %s %t", transient, persistent, info.From().ServiceName(), limited)), nil
	case "Refuse":
		return nil, kerrors.NewBizStatusErrorWithExtra(4711, "no such shelf", map[string]string{"shelf": "7"})
	case "Fail":
		return nil, fmt.Errorf("the handler failed")
	}
	return request, nil
}

func text(data string) string {
	written, _ := json.Marshal(map[string]string{"data": data})
	return string(written)
}

func serve(multiplexed bool) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	end(err)
	options := []server.Option{
		server.WithListener(listener),
		server.WithMetaHandler(transmeta.ServerTTHeaderHandler),
		server.WithMetaHandler(transmeta.MetainfoServerHandler),
	}
	if multiplexed {
		options = append(options, server.WithMuxTransport())
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	end(genericserver.NewServer(&house{}, service(), options...).Run())
}

// checks tells whether one has failed.
func checks(kind, address string) (failed bool) {
	options := []client.Option{
		client.WithHostPorts(address),
		client.WithTransportProtocol(transport.TTHeader),
		client.WithMetaHandler(transmeta.ClientTTHeaderHandler),
		client.WithMetaHandler(transmeta.MetainfoClientHandler),
		client.WithRPCTimeout(20 * time.Second),
	}
	if kind == "multiplexed" {
		options = append(options, client.WithMuxConnection(1))
	}
	peer, err := genericclient.NewClient("EchoService", service(), options...)
	end(err)
	ctx := metainfo.WithPersistentValue(metainfo.WithValue(context.Background(), "user", "ann"), "team", "blue")
	echo := func(data string) error {
		found, err := peer.GenericCall(ctx, "Echo", text(data))
		if err == nil && found != text(data) {
			err = fmt.Errorf("expected %d bytes, found %.100v", len(data), found)
		}
		return err
	}
	check := func(name string, body func() error) {
		if err := body(); err != nil {
			failed = true
			fmt.Printf("FAIL %s: %s: %s\n", kind, name, strings.ReplaceAll(err.Error(), "\n", " "))
			return
		}
		fmt.Printf("pass %s: %s\n", kind, name)
	}
	check("calls, short and long", func() error {
		for _, data := range []string{"", "text", strings.Repeat("ü", 300), strings.Repeat("x", 300_000)} {
			if err := echo(data); err != nil {
				return err
			}
		}
		return nil
	})
	check("an unknown method fails, and the connection goes on", func() error {
		_, err := peer.GenericCall(ctx, "Nobody", text(""))
		var failed *remote.TransError
		if !errors.As(err, &failed) || failed.TypeID() != remote.UnknownMethod {
			return fmt.Errorf("it said %v", err)
		}
		return echo("x")
	})
	check("twenty callers get their own replies", func() error {
		var wait sync.WaitGroup
		var first atomic.Value
		for caller := range 20 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for n := range 50 {
					if err := echo(fmt.Sprint(caller, n)); err != nil {
						first.CompareAndSwap(nil, err)
					}
				}
			}()
		}
		wait.Wait()
		if err := first.Load(); err != nil {
			return err.(error)
		}
		return nil
	})
	return failed
}
