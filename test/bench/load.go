package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A client plays turns against a server.
type client struct {
	http *http.Client
	url  string
}

func newClient(url string) *client {
	return &client{&http.Client{Transport: &http.Transport{MaxIdleConns: 512, MaxIdleConnsPerHost: 512}}, url}
}

// turn opens a session with one message and reads its stream until it is idle.
func (c *client) turn() (sessionID string, err error) {
	body := `{"message":"` + message + `"}`
	b, err := c.do(http.MethodPost, "/v1/session", body, http.StatusAccepted)
	if err != nil {
		return "", err
	}
	var opened struct{ SessionID string }
	if err := json.Unmarshal(b, &opened); err != nil {
		return "", err
	}
	b, err = c.do(http.MethodGet, "/v1/session/"+opened.SessionID+"/stream?startIndex=0&until=idle", "", http.StatusOK)
	if err != nil {
		return "", err
	}
	if !bytes.Contains(b, []byte(`"session.waiting"`)) {
		return "", fmt.Errorf("the stream of %s ended early: %.300s", opened.SessionID, b)
	}
	return opened.SessionID, nil
}

func (c *client) do(method, path, body string, want int) ([]byte, error) {
	req, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != want {
		err = fmt.Errorf("%s %s: %s: %.300s", method, path, res.Status, b)
	}
	return b, err
}

// A rate is what one drive measured; figures are per turn unless they say otherwise.
type rate struct {
	perSecond float64
	p50, p99  float64 // milliseconds
	cpu       float64 // microseconds of the server
	appends   float64
	syncs     float64
	mallocs   float64
	turns     int
}

// drive lets n clients play turns for a time, after a tenth of it to warm up.
func drive(p *proc, n int, d time.Duration) (rate, error) {
	c := newClient(p.url)
	defer c.http.CloseIdleConnections()
	if warm, err := flatOut(c, n, d/10); err != nil && len(warm) == 0 {
		return rate{}, err
	}
	before, err := p.usage()
	if err != nil {
		return rate{}, err
	}
	began := time.Now()
	times, failed := flatOut(c, n, d)
	elapsed := time.Since(began).Seconds()
	after, err := p.usage()
	if err = errors.Join(failed, err); err != nil {
		return rate{}, err
	}
	k := float64(len(times))
	slices.Sort(times)
	return rate{
		perSecond: k / elapsed,
		p50:       times[len(times)/2].Seconds() * 1e3,
		p99:       times[len(times)*99/100].Seconds() * 1e3,
		cpu:       (after.CPU - before.CPU) * 1e6 / k,
		appends:   float64(after.Appends-before.Appends) / k,
		syncs:     float64(after.Syncs-before.Syncs) / k,
		mallocs:   float64(after.Mallocs-before.Mallocs) / k,
		turns:     len(times),
	}, nil
}

// flatOut gives the time of every turn. A client ends at its first error.
func flatOut(c *client, n int, d time.Duration) ([]time.Duration, error) {
	end := time.Now().Add(d)
	times := make([][]time.Duration, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for began := time.Now(); began.Before(end) || len(times[i]) == 0; began = time.Now() {
				if _, errs[i] = c.turn(); errs[i] != nil {
					return
				}
				times[i] = append(times[i], time.Since(began))
			}
		})
	}
	wg.Wait()
	return slices.Concat(times...), errors.Join(errs...)
}
