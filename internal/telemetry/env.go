package telemetry

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	otlp "go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	sdk "go.opentelemetry.io/otel/sdk/metric"
)

// An OTLP says where measurements are sent, and how.
type OTLP struct {
	// URL is that of the endpoint for metrics.
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

// FromEnv reads OpenTelemetry's variables: where to send, nil for nowhere, and what
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
	e := env(getenv)
	o := &OTLP{URL: e.endpoint()}
	if o.URL == "" || strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		return nil, about, nil
	}
	switch x := getenv("OTEL_METRICS_EXPORTER"); x {
	case "", "otlp":
	case "none":
		return nil, about, nil
	default:
		return nil, nil, fmt.Errorf("the variable OTEL_METRICS_EXPORTER is %q: it can be otlp or none; for Prometheus start with --metrics", x)
	}
	return o, about, e.read(o)
}

// An env gives the variables of the process.
type env func(string) string

// endpoint is the URL for metrics; empty when none is set.
func (e env) endpoint() string {
	if u := e("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"); u != "" {
		return u
	}
	if u := e("OTEL_EXPORTER_OTLP_ENDPOINT"); u != "" {
		return strings.TrimSuffix(u, "/") + "/v1/metrics"
	}
	return ""
}

// either gives the variable for metrics, else the one for everything, and its name.
func (e env) either(name string) (variable, value string) {
	variable = "OTEL_EXPORTER_OTLP_METRICS_" + name
	if value = e(variable); value == "" {
		variable = "OTEL_EXPORTER_OTLP_" + name
		value = e(variable)
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
	if o.Timeout, err = millis(name, x); err != nil {
		return err
	}
	o.Interval, err = millis("OTEL_METRIC_EXPORT_INTERVAL", e("OTEL_METRIC_EXPORT_INTERVAL"))
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
