package telemetry

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	otlp "go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	traces "go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/metric"
)

// An OTLP says where measurements are sent, and how.
type OTLP struct {
	// URL is that of the endpoint for the signal.
	URL string
	// Headers go with every request; their values are secrets.
	Headers map[string]string
	// Interval between two requests. Defaults to 60 s.
	Interval time.Duration
	// Timeout of a request. Defaults to 10 s.
	Timeout time.Duration
	// Gzip compresses requests.
	Gzip bool
}

// FromEnv reads OpenTelemetry's variables for metrics: where to send, nil for nowhere, and what
// describes the process. What this build does not honour is an error. TLS files
// (OTEL_EXPORTER_OTLP_CERTIFICATE and its like) are read from the process itself.
func FromEnv(getenv func(string) string) (*OTLP, map[string]string, error) {
	about, err := pairs(getenv("OTEL_RESOURCE_ATTRIBUTES"))
	if err != nil {
		return nil, nil, fmt.Errorf("the variable OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	if name := getenv("OTEL_SERVICE_NAME"); name != "" {
		about["service.name"] = name
	}
	e := env{getenv, "METRICS"}
	o, err := e.find("; for Prometheus start with --metrics")
	if o == nil || err != nil {
		return nil, about, err
	}
	o.Interval, err = millis("OTEL_METRIC_EXPORT_INTERVAL", getenv("OTEL_METRIC_EXPORT_INTERVAL"))
	return o, about, err
}

// TracesFromEnv is FromEnv for traces, with the ratio of the turns that are traced.
func TracesFromEnv(getenv func(string) string) (*OTLP, float64, error) {
	o, err := env{getenv, "TRACES"}.find("")
	if o == nil || err != nil {
		return nil, 0, err
	}
	ratio, err := sampled(getenv("OTEL_TRACES_SAMPLER"), getenv("OTEL_TRACES_SAMPLER_ARG"))
	if ratio == 0 {
		return nil, 0, err
	}
	return o, ratio, err
}

// sampled is the part of the turns that a sampler of OpenTelemetry takes.
func sampled(sampler, arg string) (float64, error) {
	switch strings.TrimPrefix(sampler, "parentbased_") {
	case "", "always_on":
		return 1, nil
	case "always_off":
		return 0, nil
	case "traceidratio":
		if arg == "" {
			return 1, nil
		}
		if r, err := strconv.ParseFloat(arg, 64); err == nil && r >= 0 && r <= 1 {
			return r, nil
		}
		return 0, fmt.Errorf("the variable OTEL_TRACES_SAMPLER_ARG is %q: it is a number from 0 to 1", arg)
	}
	return 0, fmt.Errorf("the variable OTEL_TRACES_SAMPLER is %q: it can be always_on, always_off or traceidratio, also with parentbased_ before it", sampler)
}

// An env reads the variables of the process for one signal, such as METRICS.
type env struct {
	get    func(string) string
	signal string
}

// find gives where the signal is sent; nil: nowhere. The advice ends the sentence
// about an exporter that there is not.
func (e env) find(advice string) (*OTLP, error) {
	o := &OTLP{URL: e.endpoint()}
	if o.URL == "" || strings.EqualFold(e.get("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	switch x := e.get("OTEL_" + e.signal + "_EXPORTER"); x {
	case "", "otlp":
	case "none":
		return nil, nil
	default:
		return nil, fmt.Errorf("the variable OTEL_%s_EXPORTER is %q: it can be otlp or none%s", e.signal, x, advice)
	}
	return o, e.read(o)
}

// endpoint is the URL for the signal; empty when none is set.
func (e env) endpoint() string {
	if u := e.get("OTEL_EXPORTER_OTLP_" + e.signal + "_ENDPOINT"); u != "" {
		return u
	}
	if u := e.get("OTEL_EXPORTER_OTLP_ENDPOINT"); u != "" {
		return strings.TrimSuffix(u, "/") + "/v1/" + strings.ToLower(e.signal)
	}
	return ""
}

// either gives the variable for the signal, else the one for everything, and its name.
func (e env) either(name string) (variable, value string) {
	variable = "OTEL_EXPORTER_OTLP_" + e.signal + "_" + name
	if value = e.get(variable); value == "" {
		variable = "OTEL_EXPORTER_OTLP_" + name
		value = e.get(variable)
	}
	return variable, value
}

func (e env) read(o *OTLP) error {
	if u, err := url.Parse(o.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("the OTLP endpoint %q is no URL: it looks like http://localhost:4318", o.shown())
	}
	if name, x := e.either("PROTOCOL"); x != "" && x != "http/protobuf" {
		return fmt.Errorf("the variable %s is %q: this build sends http/protobuf, which collectors take on port 4318 by default", name, x)
	}
	name, x := e.either("COMPRESSION")
	switch x {
	case "", "none":
	case "gzip":
		o.Gzip = true
	default:
		return fmt.Errorf("the variable %s is %q: it can be gzip or none", name, x)
	}
	name, x = e.either("HEADERS")
	var err error
	if o.Headers, err = pairs(x); err != nil {
		return fmt.Errorf("the variable %s: %w", name, err)
	}
	name, x = e.either("TIMEOUT")
	o.Timeout, err = millis(name, x)
	return err
}

func millis(name, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > int64(24*time.Hour/time.Millisecond) {
		return 0, fmt.Errorf("the variable %s is %q: it is a number of milliseconds", name, text)
	}
	return time.Duration(n) * time.Millisecond, nil
}

// pairs reads "key=value,key=value", in which percent signs escape. The texts of
// errors leave values out.
func pairs(text string) (map[string]string, error) {
	out := map[string]string{}
	for i, pair := range strings.Split(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		k, v, ok := strings.Cut(pair, "=")
		k = strings.TrimSpace(k)
		v, err := url.PathUnescape(strings.TrimSpace(v))
		if !ok || k == "" || err != nil {
			return nil, fmt.Errorf("part %d is not of the form key=value", i+1)
		}
		out[k] = v
	}
	return out, nil
}

// shown is the URL without the password that it may hold.
func (o *OTLP) shown() string {
	u, err := url.Parse(o.URL)
	if err != nil {
		return "OTEL_EXPORTER_OTLP_ENDPOINT"
	}
	return u.Redacted()
}

func (o *OTLP) options() []otlp.Option {
	opts := []otlp.Option{otlp.WithEndpointURL(o.URL), otlp.WithHeaders(o.Headers)}
	if o.Timeout > 0 {
		opts = append(opts, otlp.WithTimeout(o.Timeout))
	}
	if o.Gzip {
		opts = append(opts, otlp.WithCompression(otlp.GzipCompression))
	}
	return opts
}

func (o *OTLP) schedule() (opts []sdk.PeriodicReaderOption) {
	if o.Interval > 0 {
		opts = append(opts, sdk.WithInterval(o.Interval))
	}
	return opts
}

func (o *OTLP) traceOptions() []traces.Option {
	opts := []traces.Option{traces.WithEndpointURL(o.URL), traces.WithHeaders(o.Headers)}
	if o.Timeout > 0 {
		opts = append(opts, traces.WithTimeout(o.Timeout))
	}
	if o.Gzip {
		opts = append(opts, traces.WithCompression(traces.GzipCompression))
	}
	return opts
}
