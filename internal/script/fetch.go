package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	// longestFetch bounds a fetch with a signal of its own.
	longestFetch = 10 * time.Minute
	// fetchRedirects is how many hops are followed.
	fetchRedirects = 20
)

// client serves all fetches of the process; it keeps no cookies, and leaves bodies packed.
var client = &http.Client{
	Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: 15 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 8,
		DisableCompression:  true,
	},
}

// fetchRequest is what fetch.js asks for.
type fetchRequest struct {
	URL      string      `json:"url"`
	Method   string      `json:"method"`
	Headers  [][2]string `json:"headers"`
	Redirect string      `json:"redirect"`
	// Body is "bytes", "stream", or empty for none.
	Body string `json:"body"`
	// Own says that the author gave a signal, which bounds the fetch.
	Own bool `json:"own"`
	// Raw leaves headers and body as they are, as node:http does.
	Raw bool `json:"raw"`
}

// fetchResponse is what it gets once the headers are there.
type fetchResponse struct {
	Handle     int         `json:"handle"`
	Status     int         `json:"status"`
	StatusText string      `json:"statusText"`
	URL        string      `json:"url"`
	Redirected bool        `json:"redirected"`
	Headers    [][2]string `json:"headers"`
	Proto      string      `json:"proto"`
}

// A fetching is a request on its way, until its headers are there.
type fetching struct {
	cancel context.CancelFunc
	// upload takes the body's chunks, nil where they are known at once.
	upload *io.PipeWriter
}

func (f *fetching) Close() error {
	f.cancel()
	if f.upload != nil {
		f.upload.CloseWithError(context.Canceled)
	}
	return nil
}

// fetchOps serve fetch: the request with its number, the chunks that it sends, the
// chunks of the response, and the end of either.
func fetchOps(o *ops) {
	o.notAtLoad("fetch", "fetch.open")
	o.async("fetch.open", fetchOpen)
	o.async("fetch.write", func(v *vm, a args) (work, error) {
		f, data := v.fetches[a.text(1)], a.text(2)
		return func(context.Context) (any, error) { return f.write(data) }, nil
	})
	o.async("fetch.sent", func(v *vm, a args) (work, error) {
		f, why := v.fetches[a.text(1)], a.text(2)
		return func(context.Context) (any, error) { return nil, f.sent(why) }, nil
	})
	o.sync("fetch.abort", func(v *vm, a args) (any, error) {
		if f := v.fetches[a.text(0)]; f != nil {
			f.Close()
		}
		return nil, nil
	})
	o.async("fetch.read", func(v *vm, a args) (work, error) {
		b := v.handles.get(a.integer(1))
		return func(context.Context) (any, error) { return v.readBody(a.integer(1), b) }, nil
	})
	o.sync("fetch.close", func(v *vm, a args) (any, error) {
		v.handles.close(a.integer(0))
		return nil, nil
	})
}

func fetchOpen(v *vm, a args) (work, error) {
	var q fetchRequest
	if err := a.into(1, &q); err != nil {
		return nil, err
	}
	data, err := a.bytes(2)
	if err != nil {
		return nil, err
	}
	limit := v.o.FetchTimeout
	if q.Own {
		limit = max(limit, longestFetch)
	}
	// The response outlives this work, so it hangs on the VM; the number ends it.
	ctx, cancel := context.WithTimeout(v.ctx, limit)
	f, number := &fetching{cancel: cancel}, a.text(3)
	var body io.Reader
	switch q.Body {
	case "bytes":
		body = bytes.NewReader(data)
	case "stream":
		body, f.upload = io.Pipe()
	}
	v.fetches[number] = f
	return func(context.Context) (any, error) {
		defer v.queue.post(func() { delete(v.fetches, number) })
		answer, err := v.fetch(ctx, cancel, &q, body)
		if err != nil {
			f.Close()
			return nil, fetchError(ctx, limit, err)
		}
		return asJSON(answer)
	}, nil
}

// write hands a chunk on; false when nobody reads any more.
func (f *fetching) write(wire string) (bool, error) {
	if f == nil || f.upload == nil {
		return false, nil
	}
	data, err := args{wire}.bytes(0)
	if err != nil {
		return false, err
	}
	_, err = f.upload.Write(data)
	return err == nil, nil
}

// sent ends the body, with what failed in its stream, if that did.
func (f *fetching) sent(why string) error {
	switch {
	case f == nil || f.upload == nil:
		return nil
	case why != "":
		return f.upload.CloseWithError(errors.New(why))
	}
	return f.upload.Close()
}

// fetch gives the response once its headers are there; its body is open under a handle.
func (v *vm) fetch(ctx context.Context, cancel context.CancelFunc, q *fetchRequest, body io.Reader) (*fetchResponse, error) {
	req, err := http.NewRequestWithContext(ctx, q.Method, q.URL, body)
	if err != nil {
		return nil, err
	}
	setHeaders(req, q)
	hops := 0
	c := *client
	c.CheckRedirect = func(next *http.Request, _ []*http.Request) error {
		hops++
		next.Header.Del("Referer")
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
		return nil, err
	}
	if unfollowed := res.StatusCode == 307 || res.StatusCode == 308; unfollowed && q.Body == "stream" && q.Redirect != "manual" && res.Header.Get("Location") != "" {
		res.Body.Close()
		return nil, errors.New("a body that is a stream cannot be sent again after a redirect")
	}
	opened := io.Reader(res.Body)
	if !q.Raw {
		if opened, err = unpacked(res); err != nil {
			res.Body.Close()
			return nil, err
		}
	}
	handle := v.handles.add(&fetchBody{ctx: ctx, body: opened, raw: res.Body, cancel: cancel, left: v.o.FetchBody})
	context.AfterFunc(ctx, func() { v.handles.expire(handle) }) // nobody may ever read it
	return &fetchResponse{handle, res.StatusCode, statusText(res), res.Request.URL.String(), hops > 0 && q.Redirect != "manual", headersOf(res), res.Proto}, nil
}

// setHeaders sets what the author gave, and what every request has.
func setHeaders(req *http.Request, q *fetchRequest) {
	for _, h := range q.Headers {
		req.Header.Add(h[0], h[1])
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	if q.Raw {
		if req.Header.Get("User-Agent") == "" {
			req.Header["User-Agent"] = nil // Go would send its own
		}
		return
	}
	for name, usual := range map[string]string{"User-Agent": "bdk", "Accept": "*/*"} {
		if req.Header.Get(name) == "" {
			req.Header.Set(name, usual)
		}
	}
	req.Header.Set("Accept-Encoding", codings(req.Header.Get("Accept-Encoding")))
}

func statusText(res *http.Response) string {
	if _, text, ok := strings.Cut(res.Status, " "); ok {
		return text
	}
	return ""
}

func headersOf(res *http.Response) [][2]string {
	list := [][2]string{}
	for name, values := range res.Header {
		for _, value := range values {
			list = append(list, [2]string{name, latin1(value)})
		}
	}
	if res.ContentLength >= 0 && res.Header.Get("Content-Length") == "" {
		list = append(list, [2]string{"content-length", fmt.Sprint(res.ContentLength)})
	}
	return list
}

// latin1 reads each byte of a header as a character, as fetch does.
func latin1(value string) string {
	runes := make([]rune, len(value))
	for i := range len(value) {
		runes[i] = rune(value[i])
	}
	return string(runes)
}
