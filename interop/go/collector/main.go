// The OpenTelemetry Collector with the components that the checks need: its receiver of OTLP, and an exporter that writes what has come
// to a file in OTLP's JSON, by the Collector's own messages.
//
//	collector serve FILE    receives until SIGTERM at the address that it prints; a line of FILE is a request
//	collector read FILE     reads a file of spans as its receiver of JSON files does; prints how many of which names
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

// Writes lines to the file.
type lines struct {
	component.StartFunc
	component.ShutdownFunc
	lock sync.Mutex
	file *os.File
}

func (l *lines) line(text []byte, err error) error {
	if err != nil {
		return err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	_, err = l.file.Write(append(text, '\n'))
	return err
}

func serve(path string) error {
	// Its receiver does not tell which port it was given: this one was free a moment ago.
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := free.Addr().String()
	free.Close()
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	to := &lines{file: file}
	kind := component.MustNewType("lines")
	traces := func(context.Context, exporter.Settings, component.Config) (exporter.Traces, error) {
		return tracesTo{to}, nil
	}
	metrics := func(context.Context, exporter.Settings, component.Config) (exporter.Metrics, error) {
		return metricsTo{to}, nil
	}
	factory := exporter.NewFactory(kind, func() component.Config { return &struct{}{} },
		exporter.WithTraces(traces, component.StabilityLevelStable), exporter.WithMetrics(metrics, component.StabilityLevelStable))
	config := fmt.Sprintf(`yaml:
receivers: {otlp: {protocols: {grpc: {endpoint: %q}}}}
exporters: {lines: {}}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    traces: {receivers: [otlp], exporters: [lines]}
    metrics: {receivers: [otlp], exporters: [lines]}
`, address)
	settings := otelcol.CollectorSettings{
		Factories: func() (otelcol.Factories, error) {
			receivers, err := otelcol.MakeFactoryMap[receiver.Factory](otlpreceiver.NewFactory())
			if err != nil {
				return otelcol.Factories{}, err
			}
			exporters, err := otelcol.MakeFactoryMap[exporter.Factory](factory)
			return otelcol.Factories{Receivers: receivers, Exporters: exporters, Telemetry: otelconftelemetry.NewFactory()}, err
		},
		BuildInfo: component.BuildInfo{Command: "collector"},
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
			URIs:              []string{config},
			ProviderFactories: []confmap.ProviderFactory{yamlprovider.NewFactory()},
		}},
	}
	collector, err := otelcol.NewCollector(settings)
	if err != nil {
		return err
	}
	go func() {
		for collector.GetState() != otelcol.StateRunning {
			time.Sleep(10 * time.Millisecond)
		}
		fmt.Println("listening on", address)
	}()
	return collector.Run(context.Background())
}

func read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	names := map[string]int{}
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		unmarshaler := ptrace.JSONUnmarshaler{}
		traces, err := unmarshaler.UnmarshalTraces(scanner.Bytes())
		if err != nil {
			return err
		}
		for _, ofResource := range traces.ResourceSpans().All() {
			service, _ := ofResource.Resource().Attributes().Get("service.name")
			for _, ofScope := range ofResource.ScopeSpans().All() {
				for _, span := range ofScope.Spans().All() {
					if span.TraceID().IsEmpty() || span.SpanID().IsEmpty() || span.EndTimestamp() < span.StartTimestamp() {
						return fmt.Errorf("no ids or no time: %s", scanner.Text())
					}
					names[fmt.Sprintf("%s %s %s %d %s", service.AsString(), span.Kind(), span.Name(), span.Events().Len(), span.Status().Code())]++
				}
			}
		}
	}
	if err := scanner.Err(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(names)
}

func main() {
	var err error
	switch {
	case len(os.Args) == 3 && os.Args[1] == "serve":
		err = serve(os.Args[2])
	case len(os.Args) == 3 && os.Args[1] == "read":
		err = read(os.Args[2])
	default:
		err = fmt.Errorf("usage: collector serve FILE | collector read FILE")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
