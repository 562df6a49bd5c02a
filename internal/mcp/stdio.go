package mcp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// endGrace is how long a server may take to end after its input was closed, and
// again after it was asked to.
const endGrace = 2 * time.Second

// lastWords is how long the rest of standard error is waited for: a process that
// left the group may hold it open.
const lastWords = time.Second

// A process is a server that was started, in a process group of its own.
type process struct {
	cmd     *exec.Cmd
	in, out *os.File // our ends of its input and output
	said    chan struct{}
	dead    chan struct{} // closed when it has ended
	exited  chan struct{} // closed when it has ended, and its group was killed
	closing sync.Once
}

// start starts the server of a connection.
func (p *Pool) start(c *agent.Connection) (*process, error) {
	env, err := p.childEnv(c)
	if err != nil {
		return nil, err
	}
	dir := p.o.Dir
	if c.Cwd != "" && (filepath.IsAbs(c.Cwd) || dir == "") {
		dir = c.Cwd
	} else if c.Cwd != "" {
		dir = filepath.Join(dir, filepath.FromSlash(c.Cwd))
	}
	path, err := findProgram(c.Command, env)
	if err != nil {
		return nil, err
	}
	s := &process{said: make(chan struct{}), dead: make(chan struct{}), exited: make(chan struct{})}
	s.cmd = &exec.Cmd{Path: path, Args: append([]string{c.Command}, c.Args...), Env: env, Dir: dir, SysProcAttr: ownGroup()}
	return s, p.run(c, s)
}

// run connects the streams and starts the program.
func (p *Pool) run(c *agent.Connection, s *process) error {
	var files [3][2]*os.File // read end, write end
	for i := range files {
		r, w, err := os.Pipe()
		if err != nil {
			closePipes(files)
			return err
		}
		files[i] = [2]*os.File{r, w}
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = files[0][0], files[1][1], files[2][1]
	s.in, s.out = files[0][1], files[1][0]
	started := make(chan error, 1)
	go s.live(started)
	if err := <-started; err != nil {
		closePipes(files)
		return fmt.Errorf("starting %s: %w", c.Command, err)
	}
	_, _, _ = files[0][0].Close(), files[1][1].Close(), files[2][1].Close() // the program has its own
	errs := files[2][0]
	go func() { defer close(s.said); p.logLines(c.Name, errs) }()
	go func() {
		<-s.dead
		killGroup(s.cmd.Process.Pid)
		late := time.AfterFunc(lastWords, func() { _ = errs.Close() })
		<-s.said
		late.Stop()
		_ = errs.Close()
		close(s.exited)
	}()
	return nil
}

// live starts the program and waits for its end, all on one thread of the system:
// the program is told when the thread that started it ends, which is then no sooner
// than the host.
func (s *process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := s.cmd.Start()
	started <- err
	if err == nil {
		_ = s.cmd.Wait() // how it ended is told by what the client misses
		close(s.dead)
	}
}

func closePipes(files [3][2]*os.File) {
	for _, pair := range files {
		for _, f := range pair {
			if f != nil {
				_ = f.Close()
			}
		}
	}
}

// Close ends the server: its input is closed, then it is asked to end, then its
// group is killed. It returns when the server has ended.
func (s *process) Close() error {
	s.closing.Do(func() {
		_ = s.in.Close()
		if !s.endsWithin(endGrace) {
			askGroup(s.cmd.Process.Pid)
			if !s.endsWithin(endGrace) {
				killGroup(s.cmd.Process.Pid)
			}
		}
		<-s.exited
		_ = s.out.Close()
	})
	return nil
}

func (s *process) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.exited:
		return true
	case <-timer.C:
		return false
	}
}

// input closes the whole process, and output nothing: the SDK closes both.
type (
	input  struct{ *process }
	output struct{ io.Reader }
)

func (i input) Write(b []byte) (int, error) { return i.in.Write(b) }
func (output) Close() error                 { return nil }

// inherited are the variables of the process that a server sees.
var inherited = []string{"PATH", "HOME", "LANG"}

// childEnv is the whole environment of a server: its env, and what is inherited.
func (p *Pool) childEnv(c *agent.Connection) ([]string, error) {
	own, err := p.fill(c, "env", c.Env)
	if err != nil {
		return nil, err
	}
	var env []string
	for _, pair := range p.o.Environ {
		name, _, _ := strings.Cut(pair, "=")
		if _, set := own[name]; !set && slices.Contains(inherited, name) {
			env = append(env, pair)
		}
	}
	for name, value := range own {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env, nil
}

// findProgram looks a name up in the PATH that the server will see.
func findProgram(name string, env []string) (string, error) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		return name, nil
	}
	for _, pair := range env {
		list, ok := strings.CutPrefix(pair, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(list) {
			if !filepath.IsAbs(dir) {
				continue
			}
			if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return found, nil
			}
		}
	}
	return "", errors.New("its command " + name + " is not in the PATH: install it, or write its path")
}
