package script

import (
	"context"
	"errors"
	"io"
	"sync"

	"modernc.org/quickjs"
)

// A replyBody is the body of a response that JavaScript streams: each Read that
// finds nothing asks for the next chunk, so that the reader sets the pace. It is not
// safe for concurrent use, but for Close.
type replyBody struct {
	v      *vm
	call   *call
	number int
	// chunks has what was asked for; one is on its way at most.
	chunks chan replyChunk
	left   []byte
	ended  error

	once   sync.Once
	closed chan struct{}

	mu sync.Mutex
	// stop ends the watch of the request's context; nil until there is one.
	stop func() bool
}

type replyChunk struct {
	data []byte
	err  error
}

// Read gives what the handler's stream gives.
func (b *replyBody) Read(p []byte) (int, error) {
	for len(b.left) == 0 {
		if b.ended != nil {
			return 0, b.ended
		}
		c := b.next()
		b.left, b.ended = c.data, c.err
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

func (b *replyBody) next() replyChunk {
	select {
	case <-b.closed: // nothing comes after it
		return replyChunk{err: io.ErrClosedPipe}
	default:
	}
	if !b.v.queue.post(b.pull) {
		return replyChunk{err: ErrClosed}
	}
	return b.asked()
}

// asked waits for what was asked for. Where all ends with the last word of the stream,
// that is heard first.
func (b *replyBody) asked() replyChunk {
	var ended error
	select {
	case c := <-b.chunks:
		return c
	case <-b.closed:
		ended = io.ErrClosedPipe
	case <-b.call.ctx.Done():
		ended = errBrokenReply
	case <-b.v.ended:
		ended = ErrClosed
	}
	select {
	case c := <-b.chunks:
		return c
	default:
		return replyChunk{err: ended}
	}
}

// pull asks the stream for its next chunk. One that holds the loop is interrupted, at
// once or in the promises that come of it, and its stream has ended.
func (b *replyBody) pull() {
	b.v.pulling = b
	if _, err := b.v.entries["emit"].Call(quickjs.UndefinedValue, b.number, "pull", ""); err != nil {
		b.breakOff(b.v.fromEngine(err))
	}
}

// breakOff ends a body whose stream cannot say so itself.
func (b *replyBody) breakOff(err error) {
	if e, ok := err.(*Error); ok {
		b.v.tell(b.call, e)
	}
	select {
	case b.chunks <- replyChunk{err: err}:
	default: // nobody asked
	}
	b.Close()
}

func (b *replyBody) fail(err error) {
	if e, ok := err.(*Error); ok {
		b.v.tell(b.call, e)
	}
	b.give(replyChunk{err: err})
}

var errBrokenReply = errors.New("script: the stream of a response broke off")

// Close tells the handler's stream that nobody reads it any more.
func (b *replyBody) Close() error {
	b.finish(func() { b.v.enter("emit", b.number, "cancel", "") })
	return nil
}

// finish ends the body once, with a last word to its stream.
func (b *replyBody) finish(last func()) {
	b.once.Do(func() {
		close(b.closed)
		b.unwatch()
		b.v.handles.forget(b.number)
		if last != nil {
			b.v.queue.post(last)
		}
		b.call.lasting.release()
	})
}

// endWith closes the body when ctx ends.
func (b *replyBody) endWith(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { b.Close() })
	b.mu.Lock()
	b.stop = stop
	b.mu.Unlock()
	select {
	case <-b.closed:
		stop()
	default:
	}
}

func (b *replyBody) unwatch() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stop != nil {
		b.stop()
	}
}

// replyOps serve the streams of responses.
func replyOps(o *ops) {
	o.sync("reply.stream", func(v *vm, a args) (any, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.lasting == nil || c.lasting.left || !c.lasting.hold() {
			return nil, errCallEnded
		}
		b := &replyBody{v: v, call: c, chunks: make(chan replyChunk, 1), closed: make(chan struct{})}
		b.number, c.lasting.body = v.handles.add(b), b
		return b.number, nil
	})
	o.sync("reply.chunk", func(v *vm, a args) (any, error) {
		data, err := a.bytes(1)
		if err != nil {
			return nil, err
		}
		if b, open := v.handles.get(a.integer(0)).(*replyBody); open {
			b.give(replyChunk{data: data})
		}
		return nil, nil
	})
	o.sync("reply.end", func(v *vm, a args) (any, error) {
		b, open := v.handles.get(a.integer(0)).(*replyBody)
		if !open {
			return nil, nil
		}
		if why := a.text(1); why != "" {
			b.fail(v.fromThrown(why))
			return nil, nil
		}
		b.give(replyChunk{err: io.EOF})
		return nil, nil
	})
}

// give hands a chunk to the Read that asked for it; the last one ends the body.
func (b *replyBody) give(c replyChunk) {
	select {
	case b.chunks <- c:
	default: // nobody asked
	}
	if c.err != nil {
		b.finish(nil)
	}
}
