package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// usage is what a child says of itself.
type usage struct {
	CPU     float64 // seconds, user and system
	RSS     int64   // bytes
	Mallocs uint64
	Appends uint64
	Syncs   uint64
}

// ownUsage fills what the operating system and the runtime know.
func ownUsage() usage {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return usage{CPU: seconds(r.Utime) + seconds(r.Stime), RSS: residentSet(), Mallocs: m.Mallocs}
}

// residentSet reads /proc; elsewhere it is 0.
func residentSet() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, resident int64
	if _, err := fmt.Sscan(string(b), &total, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

// A proc is a child of this program: the same binary in another role.
type proc struct {
	cmd   *exec.Cmd
	stdin io.Closer
	// url is where it serves, stats where it answers about itself.
	url, stats string
	// ready is how long it took from exec to being ready.
	ready time.Duration
}

// start runs a role and waits until it is ready.
func start(role string, args ...string) (*proc, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &proc{cmd: exec.Command(self, append([]string{"child", role}, args...)...)}
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.stdin = in
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	p.ready = time.Since(began)
	fields := strings.Fields(line)
	if err != nil || len(fields) != 3 {
		return nil, errors.Join(fmt.Errorf("%s said %q instead of being ready", role, line), p.stop())
	}
	p.url, p.stats = fields[1], fields[2]
	return p, nil
}

// stop lets the child end by itself: the end of its input tells it to.
func (p *proc) stop() error {
	_ = p.stdin.Close()
	return p.cmd.Wait()
}

// ask gets a JSON answer about the child.
func (p *proc) ask(path string, into any) error {
	res, err := http.Get(p.stats + path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(into)
}

func (p *proc) usage() (u usage, err error) {
	return u, p.ask("/usage", &u)
}

// serveChild serves until this process's input ends. It tells the parent where, with
// what it knows of itself on a listener of its own.
func serveChild(server *http.Server, stats http.Handler) error {
	main, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	side, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	about := &http.Server{Handler: stats}
	defer about.Close()
	defer server.Close()
	ended := make(chan error, 2)
	go func() { ended <- server.Serve(main) }()
	go func() { ended <- about.Serve(side) }()
	fmt.Printf("ready http://%s http://%s\n", main.Addr(), side.Addr())
	eof := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(eof)
	}()
	select {
	case <-eof:
		return nil
	case err := <-ended:
		return err
	}
}

// sayJSON answers with a value.
func sayJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
