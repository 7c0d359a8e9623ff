// grpc-gateway in front of a gRPC server: `grpc-gateway DESCRIPTOR_SET ADDRESS` says where it listens.
//
// What protoc-gen-grpc-gateway writes into a file per service is done here for each method of the descriptors, with the same
// functions of the runtime: patterns, bodies, path and query to fields, replies. So no code is generated.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"github.com/grpc-ecosystem/grpc-gateway/v2/utilities"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: grpc-gateway DESCRIPTOR_SET ADDRESS")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(descriptors, address string) error {
	bytes, err := os.ReadFile(descriptors)
	if err != nil {
		return err
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(bytes, &set); err != nil {
		return err
	}
	server, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	marshaler := &runtime.HTTPBodyMarshaler{
		Marshaler: &runtime.JSONPb{UnmarshalOptions: protojson.UnmarshalOptions{DiscardUnknown: true}},
	}
	mux := runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, marshaler),
		runtime.WithUnescapingMode(runtime.UnescapingModeAllExceptSlash),
	)
	for _, file := range set.File {
		if file.GetPackage() == "google.protobuf" || file.GetPackage() == "google.api" {
			continue // the program has them
		}
		described, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
		if err != nil {
			return err
		}
		// The runtime looks enums up by their names.
		for e := range described.Enums().Len() {
			if err := protoregistry.GlobalTypes.RegisterEnum(dynamicpb.NewEnumType(described.Enums().Get(e))); err != nil {
				return err
			}
		}
		for s := range described.Services().Len() {
			service := described.Services().Get(s)
			for m := range service.Methods().Len() {
				if err := add(mux, marshaler, server, service.Methods().Get(m)); err != nil {
					return err
				}
			}
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	return http.Serve(listener, mux)
}

func add(mux *runtime.ServeMux, marshaler runtime.Marshaler, server *grpc.ClientConn, method protoreflect.MethodDescriptor) error {
	rule, ok := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
	if !ok || rule == nil || method.IsStreamingClient() {
		return nil
	}
	for _, rule := range append([]*annotations.HttpRule{rule}, rule.AdditionalBindings...) {
		verb, path := pattern(rule)
		if err := mux.HandlePath(verb, path, handler(mux, marshaler, server, method, rule)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func pattern(rule *annotations.HttpRule) (string, string) {
	switch pattern := rule.Pattern.(type) {
	case *annotations.HttpRule_Get:
		return "GET", pattern.Get
	case *annotations.HttpRule_Put:
		return "PUT", pattern.Put
	case *annotations.HttpRule_Post:
		return "POST", pattern.Post
	case *annotations.HttpRule_Delete:
		return "DELETE", pattern.Delete
	case *annotations.HttpRule_Patch:
		return "PATCH", pattern.Patch
	case *annotations.HttpRule_Custom:
		return pattern.Custom.Kind, pattern.Custom.Path
	}
	return "", ""
}

func handler(mux *runtime.ServeMux, marshaler runtime.Marshaler, server *grpc.ClientConn, method protoreflect.MethodDescriptor, rule *annotations.HttpRule) runtime.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request, path map[string]string) {
		request, err := read(method, rule, marshaler, r, path)
		if err != nil {
			runtime.HTTPError(r.Context(), mux, marshaler, w, r, err)
			return
		}
		name := fmt.Sprintf("/%s/%s", method.Parent().FullName(), method.Name())
		if method.IsStreamingServer() {
			stream(mux, server, method, rule, marshaler, w, r, name, request)
			return
		}
		reply := dynamicpb.NewMessage(method.Output())
		if err := server.Invoke(context.Background(), name, request, reply); err != nil {
			runtime.HTTPError(r.Context(), mux, marshaler, w, r, err)
			return
		}
		made, err := concrete(reply)
		if err != nil {
			runtime.HTTPError(r.Context(), mux, marshaler, w, r, err)
			return
		}
		w.Header().Set("Content-Type", marshaler.ContentType(made))
		if rule.ResponseBody != "" {
			field := method.Output().Fields().ByName(protoreflect.Name(rule.ResponseBody))
			var values []any
			list := reply.Get(field).List()
			for i := range list.Len() {
				values = append(values, list.Get(i).Interface())
			}
			if values == nil {
				values = []any{}
			}
			body, _ := marshaler.Marshal(values)
			w.Write(body)
			return
		}
		body, err := marshaler.Marshal(made)
		if err != nil {
			runtime.HTTPError(r.Context(), mux, marshaler, w, r, err)
			return
		}
		w.Write(body)
	}
}

// A method that answers with a stream: lines of `{"result":..}`.
func stream(mux *runtime.ServeMux, server *grpc.ClientConn, method protoreflect.MethodDescriptor, rule *annotations.HttpRule, marshaler runtime.Marshaler, w http.ResponseWriter, r *http.Request, name string, request proto.Message) {
	ctx := runtime.NewServerMetadataContext(r.Context(), runtime.ServerMetadata{})
	replies, err := server.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, name)
	if err == nil {
		err = replies.SendMsg(request)
	}
	if err == nil {
		err = replies.CloseSend()
	}
	if err != nil {
		runtime.HTTPError(ctx, mux, marshaler, w, r, err)
		return
	}
	next := func() (proto.Message, error) {
		reply := dynamicpb.NewMessage(method.Output())
		if err := replies.RecvMsg(reply); err != nil {
			return nil, err
		}
		if rule.ResponseBody != "" {
			field := method.Output().Fields().ByName(protoreflect.Name(rule.ResponseBody))
			return oneField{reply, reply.Get(field).Interface()}, nil
		}
		return concrete(reply)
	}
	runtime.ForwardResponseStream(ctx, mux, marshaler, w, r, next)
}

// A reply that is answered with one field, as generated code has it.
type oneField struct {
	proto.Message
	value any
}

func (f oneField) XXX_ResponseBody() any { return f.value }

// The runtime knows google.api.HttpBody by its type.
func concrete(reply *dynamicpb.Message) (proto.Message, error) {
	if reply.Descriptor().FullName() != "google.api.HttpBody" {
		return reply, nil
	}
	bytes, err := proto.Marshal(reply)
	if err != nil {
		return nil, err
	}
	body := &httpbody.HttpBody{}
	return body, proto.Unmarshal(bytes, body)
}

// The steps of a generated handler, in its order.
func read(method protoreflect.MethodDescriptor, rule *annotations.HttpRule, marshaler runtime.Marshaler, r *http.Request, path map[string]string) (*dynamicpb.Message, error) {
	request := dynamicpb.NewMessage(method.Input())
	var taken [][]string
	wrong := func(err error) error { return status.Errorf(codes.InvalidArgument, "%v", err) }
	if rule.Body != "" {
		target := proto.Message(request)
		var field protoreflect.FieldDescriptor
		if rule.Body != "*" {
			field = method.Input().Fields().ByName(protoreflect.Name(rule.Body))
			if field.IsList() {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					return nil, wrong(err)
				}
				if len(body) > 0 { // the runtime decodes lists into Go slices, of which a dynamic message has none
					object := []byte(fmt.Sprintf(`{%q:%s}`, field.JSONName(), body))
					if err := marshaler.Unmarshal(object, request); err != nil {
						return nil, wrong(err)
					}
				}
				target = nil
			} else {
				target = request.Mutable(field).Message().Interface()
			}
			taken = append(taken, []string{rule.Body})
		}
		if target != nil {
			if err := marshaler.NewDecoder(r.Body).Decode(target); err != nil && !errors.Is(err, io.EOF) {
				return nil, wrong(err)
			}
		}
	}
	for name, value := range path {
		if err := runtime.PopulateFieldFromPath(request, name, value); err != nil {
			return nil, status.Errorf(codes.InvalidArgument, "type mismatch, parameter: %s, error: %v", name, err)
		}
		taken = append(taken, []string{name})
	}
	if rule.Body != "*" {
		if err := r.ParseForm(); err != nil {
			return nil, wrong(err)
		}
		if err := runtime.PopulateQueryParameters(request, r.URL.Query(), utilities.NewDoubleArray(taken)); err != nil {
			return nil, wrong(err)
		}
	}
	return request, nil
}
