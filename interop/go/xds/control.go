package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/anypb"

	// Types that resources hold, so that they can be written as JSON.
	_ "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/clusters/aggregate/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/fault/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/least_request/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/ring_hash/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/round_robin/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/wrr_locality/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
)

// A line: these resources, as protobuf's JSON with "@type", are the snapshot of these nodes from now on. It is answered by "set".
type snapshot struct {
	Version   string
	Nodes     []string
	Resources []json.RawMessage
}

// Lines that come by themselves: "accepted NODE TYPE VERSION" and "refused NODE TYPE TEXT", each when it is not what was told of
// this node and type before.
func control(port string) {
	ctx := context.Background()
	snapshots := cache.NewSnapshotCache(false, cache.IDHash{}, nil)
	var lock sync.Mutex
	told := map[string]string{}
	say := func(key, line string) {
		lock.Lock()
		defer lock.Unlock()
		if told[key] != line {
			told[key] = line
			fmt.Println(line)
		}
	}
	callbacks := server.CallbackFuncs{
		StreamRequestFunc: func(_ int64, request *discovery.DiscoveryRequest) error {
			kind := request.TypeUrl[strings.LastIndex(request.TypeUrl, ".")+1:]
			key := node(request.Node) + " " + kind
			if detail := request.ErrorDetail; detail != nil {
				say(key, "refused "+key+" "+strings.ReplaceAll(detail.Message, "\n", " "))
			} else if request.ResponseNonce != "" {
				say(key, "accepted "+key+" "+request.VersionInfo)
			}
			return nil
		},
	}
	listener := listen(port)
	serving := grpc.NewServer()
	discovery.RegisterAggregatedDiscoveryServiceServer(serving, server.NewServer(ctx, snapshots, callbacks))
	go serving.Serve(listener)

	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if err := set(ctx, snapshots, line); err != nil {
			fmt.Println("error", err)
		} else {
			fmt.Println("set")
		}
	}
}

func node(n *core.Node) string {
	return n.GetId()
}

func set(ctx context.Context, snapshots cache.SnapshotCache, line []byte) error {
	var wanted snapshot
	if err := json.Unmarshal(line, &wanted); err != nil {
		return err
	}
	resources := map[resource.Type][]types.Resource{
		resource.ListenerType: nil, resource.RouteType: nil, resource.ClusterType: nil, resource.EndpointType: nil,
	}
	for _, text := range wanted.Resources {
		var any anypb.Any
		if err := protojson.Unmarshal(text, &any); err != nil {
			return err
		}
		message, err := any.UnmarshalNew()
		if err != nil {
			return err
		}
		resources[any.TypeUrl] = append(resources[any.TypeUrl], message)
	}
	made, err := cache.NewSnapshot(wanted.Version, resources)
	if err != nil {
		return err
	}
	for _, id := range wanted.Nodes {
		if err := snapshots.SetSnapshot(ctx, id, made); err != nil {
			return err
		}
	}
	return nil
}
