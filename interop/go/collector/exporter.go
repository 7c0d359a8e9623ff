package main

import (
	"context"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

type tracesTo struct{ *lines }

func (tracesTo) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }
func (to tracesTo) ConsumeTraces(_ context.Context, traces ptrace.Traces) error {
	return to.line((&ptrace.JSONMarshaler{}).MarshalTraces(traces))
}

type metricsTo struct{ *lines }

func (metricsTo) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }
func (to metricsTo) ConsumeMetrics(_ context.Context, metrics pmetric.Metrics) error {
	return to.line((&pmetric.JSONMarshaler{}).MarshalMetrics(metrics))
}
