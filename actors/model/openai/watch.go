package openai

import (
	"context"
	"errors"
	"io"
	"time"
)

// maxBytes bounds one answer.
const maxBytes = 64 << 20

var (
	errStalled = errors.New("the answer stalled")
	errTooLong = errors.New("the answer is too long")
)

// A watched attempt ends when nothing comes for too long.
type watched struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	idle   time.Duration
}

func watch(ctx context.Context, start, idle time.Duration) *watched {
	w := &watched{idle: idle}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(start, func() { w.cancel(errStalled) })
	return w
}

func (w *watched) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// stalled says whether this is why the attempt ended.
func (w *watched) stalled() bool { return errors.Is(context.Cause(w.ctx), errStalled) }

// body watches what is read. Headers alone do not count: some servers send them
// at once and think afterwards.
func (w *watched) body(b io.ReadCloser) io.ReadCloser {
	return &watchedBody{ReadCloser: b, w: w, left: maxBytes, tail: "\n\n"}
}

type watchedBody struct {
	io.ReadCloser
	w    *watched
	left int
	// ended is after a clean end; then tail is read.
	ended bool
	tail  string
}

// Read starts the wait anew with each piece. Behind a clean end it adds an empty
// line: the SDK's decoder drops a last line without one, and some servers leave it out.
func (b *watchedBody) Read(p []byte) (int, error) {
	if b.ended {
		n := copy(p, b.tail)
		if b.tail = b.tail[n:]; n == 0 && len(p) > 0 {
			return 0, io.EOF
		}
		return n, nil
	}
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.w.timer.Reset(b.w.idle)
	}
	if b.left -= n; b.left < 0 {
		return n, errTooLong
	}
	if err == io.EOF {
		b.ended, err = true, nil
	}
	return n, err
}
