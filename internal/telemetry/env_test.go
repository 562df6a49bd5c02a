package telemetry

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// host.md: "Nothing is sent unless an OTLP endpoint is set (OTEL_EXPORTER_OTLP_*)".
func TestFromEnv(t *testing.T) {
	t.Parallel()
	const all, own = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
	for _, c := range []struct {
		set  string
		want string // what it gives, or a part of the error
	}{
		{"", "nowhere"},
		{"OTEL_EXPORTER_OTLP_HEADERS=a=b", "nowhere"},
		{all + "=http://c:4318", "http://c:4318/v1/metrics"},
		{all + "=https://c/otlp/", "https://c/otlp/v1/metrics"},
		{all + "=http://c;" + own + "=http://m/x", "http://m/x"},
		{all + "=http://c;OTEL_SDK_DISABLED=true", "nowhere"},
		{all + "=http://c;OTEL_METRICS_EXPORTER=none", "nowhere"},
		{all + "=http://c;OTEL_METRICS_EXPORTER=console", "it can be otlp or none"},
		{all + "=c:4317", "is no URL"},
		{all + "=http://me:pass@;", "is no URL"},
		{all + "=http://c;OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "OTEL_EXPORTER_OTLP_PROTOCOL is \"grpc\": this build sends http/protobuf"},
		{all + "=http://c;OTEL_EXPORTER_OTLP_PROTOCOL=grpc;OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf", "http://c/v1/metrics"},
		{all + "=http://c;OTEL_EXPORTER_OTLP_COMPRESSION=zip", "it can be gzip or none"},
		{all + "=http://c;OTEL_EXPORTER_OTLP_HEADERS=k:topsecret", "OTEL_EXPORTER_OTLP_HEADERS: part 1 is not of the form key=value"},
		{all + "=http://c;OTEL_METRIC_EXPORT_INTERVAL=soon", "a number of milliseconds"},
		{"OTEL_RESOURCE_ATTRIBUTES=team", "OTEL_RESOURCE_ATTRIBUTES"},
	} {
		to, _, err := FromEnv(variables(c.set))
		got := "nowhere"
		switch {
		case err != nil:
			got = err.Error()
		case to != nil:
			got = to.URL
		}
		if err == nil && got != c.want || !strings.Contains(got, c.want) || strings.Contains(got, "topsecret") || strings.Contains(got, "pass") {
			t.Errorf("%s gives %s, expected %s", c.set, got, c.want)
		}
	}
}

func TestFromEnv_Settings(t *testing.T) {
	t.Parallel()
	to, about, err := FromEnv(variables("OTEL_EXPORTER_OTLP_ENDPOINT=http://c;OTEL_EXPORTER_OTLP_TIMEOUT=1500;OTEL_EXPORTER_OTLP_COMPRESSION=gzip;" +
		"OTEL_METRIC_EXPORT_INTERVAL=250;OTEL_SERVICE_NAME=desk;OTEL_RESOURCE_ATTRIBUTES=a=1,service.name=x,b=c%2Cd"))
	if err != nil {
		t.Fatal(err)
	}
	if to.Timeout != 1500*time.Millisecond || to.Interval != 250*time.Millisecond || !to.Gzip {
		t.Errorf("got %+v", to)
	}
	if fmt.Sprint(about) != "map[a:1 b:c,d service.name:desk]" {
		t.Errorf("got %v", about)
	}
}

// variables reads "NAME=value;NAME=value".
func variables(text string) func(string) string {
	set := map[string]string{}
	for _, pair := range strings.Split(text, ";") {
		name, value, _ := strings.Cut(pair, "=")
		set[name] = value
	}
	return func(name string) string { return set[name] }
}
