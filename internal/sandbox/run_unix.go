//go:build unix

package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const (
	// drainFor is how long the output of a program that has ended is waited for.
	drainFor = time.Second
	// reapFor is how long one that was killed may take to end: it gives back its memory.
	reapFor = 10 * time.Second
)

// Run runs a program and everything that it starts to their end: when it ends, its
// time is over or ctx ends, what is left of its process group is killed. The error
// is for a program that did not start, and for a ctx that ended; it is the cause then.
func Run(ctx context.Context, p *Program) (End, error) {
	if err := ctx.Err(); err != nil {
		return End{}, context.Cause(ctx)
	}
	q := *p
	q.Limits.EnsureDefaults()
	r := &run{Program: &q, mark: markOf(q.Owner) + rand.Text(), ended: make(chan struct{})}
	if err := r.start(); err != nil {
		return End{}, fmt.Errorf("starting %s: %w", q.Argv[0], err)
	}
	return r.wait(ctx)
}

// A run is a program that runs.
type run struct {
	*Program
	// mark is in the environment of all processes of the run.
	mark string

	process *os.Process
	// ended is closed when the program has ended. Where the system can tell without
	// reaping it, state is nil until reap.
	ended chan struct{}
	state *os.ProcessState
	// readers are the ends of the pipes that we read; copying counts who does.
	readers []*os.File
	copying sync.WaitGroup
}

// markOf begins the variable that tells whose a process is.
func markOf(owner string) string { return "BDK_RUN=" + owner + "." }

// start starts the program with its pipes.
func (r *run) start() error {
	argv, err := r.argv()
	if err != nil {
		return err
	}
	files, ours, err := r.pipes()
	if err != nil {
		return err
	}
	gate, opener, err := os.Pipe()
	if err != nil {
		closeAll(append(append(files, r.readers...), ours))
		return err
	}
	files = append(files, gate)
	attr := &os.ProcAttr{Dir: r.Dir, Env: append(r.Env[:len(r.Env):len(r.Env)], r.mark), Files: files, Sys: ownSession()}
	err = r.launch(argv, attr)
	for _, f := range append(files, opener) {
		_ = f.Close() // the program has its own; the same one twice is closed once
	}
	if err != nil {
		closeAll(append(r.readers, ours))
		return err
	}
	r.feed(ours)
	return nil
}

// argv sets the limits in a shell that then becomes the program, when the gate, its
// fourth stream, is opened: launch marks it before.
func (r *run) argv() ([]string, error) {
	if len(r.Argv) == 0 {
		return nil, errors.New("no program is given")
	}
	umask := "umask 077; "
	if r.KeepUmask {
		umask = ""
	}
	const limits = `read -r gate <&3; exec 3<&-; ulimit -c 0; ulimit -f "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -d "$3" 2>/dev/null; shift 3; exec "$@"`
	set := []string{"/bin/sh", "-c", umask + limits, "sh", fmt.Sprint(r.Limits.FileBytes / 512), r.processorTime(), fmt.Sprint(r.Limits.DataBytes / 1024)}
	return append(set, r.Argv...), nil
}

// pipes gives the program's three streams, and our end of what it reads.
func (r *run) pipes() (theirs []*os.File, ours *os.File, err error) {
	in, ours, err := r.input()
	if err != nil {
		return nil, nil, err
	}
	theirs = []*os.File{in}
	writers := []io.Writer{r.Stdout, r.Stderr}
	for i, w := range writers {
		if i == 1 && sameWriter(w, r.Stdout) {
			theirs = append(theirs, theirs[1])
			continue
		}
		out, err := r.output(w)
		if err != nil {
			closeAll(append(append(theirs, r.readers...), ours))
			return nil, nil, err
		}
		theirs = append(theirs, out)
	}
	return theirs, ours, nil
}

func sameWriter(a, b io.Writer) (same bool) {
	defer func() { _ = recover() }() // writers that cannot be compared are two
	return a != nil && a == b
}

func (r *run) input() (theirs, ours *os.File, err error) {
	if r.Stdin == nil {
		theirs, err = os.Open(os.DevNull)
		return theirs, nil, err
	}
	return os.Pipe()
}

// output gives a stream that w is fed from.
func (r *run) output(w io.Writer) (*os.File, error) {
	if w == nil {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	r.readers = append(r.readers, from)
	r.copying.Go(func() {
		_, err := io.Copy(w, from)
		if err != nil {
			_, _ = io.Copy(io.Discard, from) // a writer that fails must not stop the program
		}
	})
	return to, nil
}

// feed writes the input. A program that does not read it does not hold us.
func (r *run) feed(to *os.File) {
	if to == nil {
		return
	}
	r.readers = append(r.readers, to)
	r.copying.Go(func() {
		_, _ = to.Write(r.Stdin) // a program may end without reading it
		_ = to.Close()
	})
}

// wait waits for the end and makes it one for the whole group.
func (r *run) wait(ctx context.Context) (End, error) {
	var over <-chan time.Time
	if r.Timeout > 0 {
		timer := time.NewTimer(r.Timeout)
		defer timer.Stop()
		over = timer.C
	}
	end := End{}
	select {
	case <-r.ended:
	case <-over:
		end.TimedOut = true
		r.ask()
	case <-ctx.Done():
		r.ask()
	}
	r.kill()
	state, err := r.reap(reapFor)
	r.drain()
	if ctx.Err() != nil {
		return end, context.Cause(ctx)
	}
	if err != nil {
		return end, err
	}
	end.ExitCode, end.Signal = exitOf(state)
	return end, nil
}

// ask tells the group to end, and gives it a little time.
func (r *run) ask() {
	r.signal(syscall.SIGTERM)
	timer := time.NewTimer(r.Limits.KillAfter)
	defer timer.Stop()
	select {
	case <-r.ended:
	case <-timer.C:
	}
}

// kill ends what is left of the group, and what has left the group. The program is
// not reaped before, so its number is nobody else's.
func (r *run) kill() {
	r.signal(syscall.SIGKILL)
	killMarked(r.mark, r.process.Pid)
}

func (r *run) signal(s syscall.Signal) { _ = syscall.Kill(-r.process.Pid, s) }

// reap takes the exit status. A process that even a kill does not end, since the
// kernel holds it, is left behind, and reaped when the kernel lets go.
func (r *run) reap(within time.Duration) (*os.ProcessState, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-r.ended:
		if r.state != nil {
			return r.state, nil
		}
		return r.process.Wait()
	case <-timer.C:
		go func() { // ends with the process
			<-r.ended
			_, _ = r.process.Wait()
		}()
		return nil, errors.New("the program could not be ended: the kernel holds it")
	}
}

// drain takes the rest of the output; a process that escaped may hold the pipe open.
func (r *run) drain() {
	done := make(chan struct{})
	go func() { r.copying.Wait(); close(done) }()
	timer := time.NewTimer(drainFor)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	closeAll(r.readers)
	<-done
}

// processorTime is the seconds that one process may compute, on all processors: for
// one that has left its group and its session.
func (r *run) processorTime() string {
	if r.Timeout <= 0 {
		return "unlimited"
	}
	return fmt.Sprint((int(r.Timeout/time.Second) + 1) * runtime.NumCPU())
}

func exitOf(s *os.ProcessState) (code int, signal string) {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal()), w.Signal().String()
	}
	return s.ExitCode(), ""
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}
