package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// fetchTimeout bounds a fetch from its start to the last byte of its body.
	fetchTimeout = 60 * time.Second
	// fetchBodyLimit bounds what one response may give.
	fetchBodyLimit = 100 << 20
	// fetchRedirects is how many hops are followed.
	fetchRedirects = 20
)

// client serves all fetches of the process; it keeps no cookies.
var client = &http.Client{
	Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: 15 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 8,
	},
}

// fetchRequest is what fetch.js asks for.
type fetchRequest struct {
	URL      string      `json:"url"`
	Method   string      `json:"method"`
	Headers  [][2]string `json:"headers"`
	Redirect string      `json:"redirect"`
	HasBody  bool        `json:"hasBody"`
}

// fetchResponse is what it gets once the headers are there.
type fetchResponse struct {
	Handle     int         `json:"handle"`
	Status     int         `json:"status"`
	StatusText string      `json:"statusText"`
	URL        string      `json:"url"`
	Redirected bool        `json:"redirected"`
	Headers    [][2]string `json:"headers"`
}

// A fetchBody is an open response. Close is safe at any time.
type fetchBody struct {
	body   io.ReadCloser
	cancel context.CancelFunc
	once   sync.Once
	read   int64
}

func (b *fetchBody) Close() error {
	b.once.Do(func() {
		b.cancel()
		b.body.Close()
	})
	return nil
}

// fetchOps serve fetch: the request with an abort number, the chunks of a body, its end.
func fetchOps(o *ops) {
	o.notAtLoad("fetch", "fetch.open")
	o.async("fetch.open", func(v *vm, a args) (work, error) {
		var q fetchRequest
		if err := a.into(1, &q); err != nil {
			return nil, err
		}
		body, err := a.bytes(2)
		if err != nil {
			return nil, err
		}
		// The response outlives this work, so it hangs on the VM; the abort number ends it.
		ctx, cancel := context.WithTimeout(v.ctx, fetchTimeout)
		abort := a.integer(3)
		v.aborts[abort] = cancel
		return func(context.Context) (any, error) { return v.fetch(ctx, cancel, abort, &q, body) }, nil
	})
	o.sync("fetch.abort", func(v *vm, a args) (any, error) {
		if cancel := v.aborts[a.integer(0)]; cancel != nil {
			cancel()
			delete(v.aborts, a.integer(0))
		}
		return nil, nil
	})
	o.async("fetch.read", func(v *vm, a args) (work, error) {
		b, _ := v.handles.get(a.integer(1)).(*fetchBody)
		return func(context.Context) (any, error) { return v.readBody(a.integer(1), b) }, nil
	})
	o.sync("fetch.close", func(v *vm, a args) (any, error) {
		v.handles.close(a.integer(0))
		return nil, nil
	})
}

func (v *vm) fetch(ctx context.Context, cancel context.CancelFunc, abort int, q *fetchRequest, body []byte) (any, error) {
	kept := false
	defer func() {
		v.queue.post(func() { delete(v.aborts, abort) })
		if !kept {
			cancel()
		}
	}()
	var reader io.Reader
	if q.HasBody {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, q.Method, q.URL, reader)
	if err != nil {
		return nil, typeError("fetch failed: %v", err)
	}
	for _, h := range q.Headers {
		req.Header.Add(h[0], h[1])
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "bdk")
	}
	hops := 0
	c := *client
	c.CheckRedirect = func(*http.Request, []*http.Request) error {
		hops++
		switch {
		case q.Redirect == "manual":
			return http.ErrUseLastResponse
		case q.Redirect == "error":
			return errors.New("unexpected redirect")
		case hops > fetchRedirects:
			return errors.New("redirect count exceeded")
		}
		return nil
	}
	res, err := c.Do(req)
	if err != nil {
		return nil, fetchError(ctx, err)
	}
	kept = true
	handle := v.handles.add(&fetchBody{body: res.Body, cancel: cancel})
	return asJSON(fetchResponse{handle, res.StatusCode, statusText(res), res.Request.URL.String(), hops > 0 && q.Redirect != "manual", headersOf(res)})
}

func statusText(res *http.Response) string {
	if len(res.Status) > 4 {
		return res.Status[4:]
	}
	return http.StatusText(res.StatusCode)
}

func headersOf(res *http.Response) [][2]string {
	list := [][2]string{}
	for name, values := range res.Header {
		for _, value := range values {
			list = append(list, [2]string{name, value})
		}
	}
	if res.ContentLength >= 0 && res.Header.Get("Content-Length") == "" && !res.Uncompressed {
		list = append(list, [2]string{"content-length", fmt.Sprint(res.ContentLength)})
	}
	return list
}

// fetchError tells a time limit from a network that failed.
func fetchError(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &hostError{Name: "TimeoutError", Message: fmt.Sprintf("fetch took longer than %v", fetchTimeout)}
	}
	var inner interface{ Unwrap() error }
	if errors.As(err, &inner) && inner.Unwrap() != nil {
		err = inner.Unwrap()
	}
	return typeError("fetch failed: %v", err)
}

// readBody gives the next chunk, "" at the end.
func (v *vm) readBody(handle int, b *fetchBody) (any, error) {
	if b == nil {
		return "", nil
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := b.body.Read(buf)
		b.read += int64(n)
		if b.read > fetchBodyLimit {
			v.handles.close(handle)
			return nil, typeError("the response is larger than %d MiB", fetchBodyLimit>>20)
		}
		if n > 0 {
			return fromBytes(buf[:n]), nil
		}
		if errors.Is(err, io.EOF) {
			v.handles.close(handle)
			return "", nil
		}
		if err != nil {
			v.handles.close(handle)
			if errors.Is(err, context.DeadlineExceeded) {
				return nil, &hostError{Name: "TimeoutError", Message: fmt.Sprintf("fetch took longer than %v", fetchTimeout)}
			}
			return nil, typeError("the response ended early: %v", err)
		}
	}
}
