package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// childSpec is what child_process.js asks to start.
type childSpec struct {
	File      string            `json:"file"`
	Args      []string          `json:"args"`
	Cwd       string            `json:"cwd"`
	Env       map[string]string `json:"env"`
	Input     *string           `json:"input"`
	MaxBuffer int               `json:"maxBuffer"`
	TimeoutMs float64           `json:"timeout"`
	// KillSignal ends a process that took too long.
	KillSignal string `json:"killSignal"`
}

// childEnd is how a process ended.
type childEnd struct {
	PID    int    `json:"pid"`
	Code   *int   `json:"code"`
	Signal string `json:"signal,omitempty"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Error  string `json:"error,omitempty"`
	ErrNo  string `json:"errno,omitempty"`
	// Number is the system's number of the error, negative as in Node.
	Number int `json:"number,omitempty"`
}

// A child is a process that runs; its output is emitted to its listener.
type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

// Close kills the process's whole group.
func (c *child) Close() error { return killGroup(c.cmd, syscall.SIGKILL) }

// childOps serve node:child_process.
func childOps(o *ops) {
	o.notAtLoad("node:child_process", "child.start", "child.run")
	o.sync("child.start", childStart)
	o.sync("child.kill", func(v *vm, a args) (any, error) {
		c, ok := v.handles.get(a.integer(0)).(*child)
		if !ok {
			return false, nil
		}
		return killGroup(c.cmd, signalOf(a.text(1))) == nil, nil
	})
	o.async("child.write", func(v *vm, a args) (work, error) {
		c, ok := v.handles.get(a.integer(1)).(*child)
		data, err := a.bytes(2)
		return func(context.Context) (any, error) {
			if !ok {
				return nil, &hostError{Name: "Error", Message: "write EPIPE", Code: "EPIPE"}
			}
			_, werr := c.stdin.Write(data)
			return nil, werr
		}, err
	})
	o.async("child.end", func(v *vm, a args) (work, error) {
		c, ok := v.handles.get(a.integer(1)).(*child)
		return func(context.Context) (any, error) {
			if ok {
				c.stdin.Close()
			}
			return nil, nil
		}, nil
	})
	o.sync("child.run", func(v *vm, a args) (any, error) {
		var s childSpec
		if err := a.into(0, &s); err != nil {
			return nil, err
		}
		ctx, cancel := v.holding()
		defer cancel()
		return asJSON(v.runChild(ctx, &s))
	})
}

// holding bounds what holds the VM: by the limit of the call that runs, where it
// is known, else by the default limit of a tool, and by the end of the VM.
func (v *vm) holding() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(v.ctx, agent.DefaultTimeout)
	c := v.running.Load()
	if c == nil && len(v.calls) == 1 {
		for _, only := range v.calls {
			c = only
		}
	}
	if c == nil {
		return ctx, cancel
	}
	stop := context.AfterFunc(c.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// killDelay is how long a process that was asked to end may take before it is killed.
const killDelay = 2 * time.Second

func (v *vm) command(s *childSpec) *exec.Cmd {
	cmd := exec.Command(s.File, s.Args...)
	if path, ok := lookPath(s.File, s.Env["PATH"]); ok {
		cmd.Path, cmd.Err = path, nil
	}
	cmd.Dir = v.o.Cwd
	if s.Cwd != "" {
		cmd.Dir = v.path(s.Cwd)
	}
	cmd.Env = []string{}
	for k, val := range s.Env {
		cmd.Env = append(cmd.Env, k+"="+val)
	}
	ownGroup(cmd)
	return cmd
}

// lookPath finds a program in the PATH that the process is given, not in the host's.
func lookPath(file, path string) (string, bool) {
	if path == "" || filepath.Base(file) != file {
		return "", false
	}
	for dir := range strings.SplitSeq(path, string(os.PathListSeparator)) {
		if found, err := exec.LookPath(filepath.Join(orElse(dir, "."), file)); err == nil {
			return found, true
		}
	}
	return "", false
}

// runChild runs a process to its end.
func (v *vm) runChild(ctx context.Context, s *childSpec) childEnd {
	if s.TimeoutMs > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(s.TimeoutMs*float64(time.Millisecond)))
		defer cancel()
	}
	cmd := v.command(s)
	out, errs := &capped{limit: s.MaxBuffer}, &capped{limit: s.MaxBuffer}
	cmd.Stdout, cmd.Stderr = out, errs
	if s.Input != nil {
		input, _ := args{*s.Input}.bytes(0)
		cmd.Stdin = bytes.NewReader(input)
	}
	if err := cmd.Start(); err != nil {
		return startError(s, err)
	}
	hard := time.AfterFunc(time.Hour, func() { killGroup(cmd, syscall.SIGKILL) })
	hard.Stop()
	defer hard.Stop()
	stop := context.AfterFunc(ctx, func() {
		killGroup(cmd, signalOf(s.KillSignal))
		hard.Reset(killDelay)
	})
	defer stop()
	end := endOf(cmd, cmd.Wait())
	end.Stdout, end.Stderr = fromBytes(out.b.Bytes()), fromBytes(errs.b.Bytes())
	switch {
	case out.over || errs.over:
		end.Error, end.ErrNo, end.Number = "the output is larger than maxBuffer", "ENOBUFS", -int(syscall.ENOBUFS)
	case ctx.Err() != nil:
		end.Error, end.ErrNo, end.Number = fmt.Sprintf("%s took too long and was killed", s.File), "ETIMEDOUT", -int(syscall.ETIMEDOUT)
	}
	return end
}

// childStart starts a process whose output is told as it comes.
func childStart(v *vm, a args) (any, error) {
	var s childSpec
	if err := a.into(0, &s); err != nil {
		return nil, err
	}
	cmd := v.command(&s)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return asJSON(startError(&s, err))
	}
	c := &child{cmd: cmd, stdin: stdin}
	id := v.handles.add(c)
	v.workers.Go(func() { v.watchChild(id, c, stdout, stderr) })
	return asJSON(map[string]int{"handle": id, "pid": cmd.Process.Pid})
}

// watchChild tells what the process says and, when both pipes are dry, how it ended.
func (v *vm) watchChild(id int, c *child, stdout, stderr io.Reader) {
	var pipes sync.WaitGroup
	pump := func(name string, r io.Reader) {
		buf := make([]byte, 32<<10)
		for {
			n, err := r.Read(buf)
			if n > 0 {
				text := fromBytes(buf[:n])
				v.queue.post(func() { v.enter("emit", id, name, text) })
			}
			if err != nil {
				return
			}
		}
	}
	pipes.Go(func() { pump("stdout", stdout) })
	pipes.Go(func() { pump("stderr", stderr) })
	pipes.Wait()
	end := endOf(c.cmd, c.cmd.Wait())
	text, _ := json.Marshal(end)
	v.queue.post(func() {
		v.handles.forget(id)
		v.enter("emit", id, "exit", string(text))
	})
}

func endOf(cmd *exec.Cmd, err error) childEnd {
	end := childEnd{PID: cmd.Process.Pid}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		end.Error = err.Error()
	}
	if name := signalName(cmd.ProcessState); name != "" {
		end.Signal = name
		return end
	}
	code := cmd.ProcessState.ExitCode()
	end.Code = &code
	return end
}

// startError is a process that never ran.
func startError(s *childSpec, err error) childEnd {
	no, number := "EACCES", -int(syscall.EACCES)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, syscall.ENOENT) {
		no, number = "ENOENT", -int(syscall.ENOENT)
	}
	return childEnd{Error: fmt.Sprintf("spawn %s %s", s.File, no), ErrNo: no, Number: number}
}

// capped keeps the first bytes up to a limit; 0 means a MiB.
type capped struct {
	b     bytes.Buffer
	limit int
	over  bool
}

func (c *capped) Write(p []byte) (int, error) {
	limit := c.limit
	if limit <= 0 {
		limit = 1 << 20
	}
	room := limit - c.b.Len()
	if len(p) > room {
		c.over = true
		c.b.Write(p[:max(room, 0)])
		return 0, errors.New("the output is larger than maxBuffer")
	}
	return c.b.Write(p)
}
