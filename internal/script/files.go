package script

import (
	"context"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
)

// fileOps serve ctx.host.files.
func fileOps(o *ops) {
	o.async("files.write", fileWork(func(ctx context.Context, f agent.Files, s agent.FileScope, a args) (any, error) {
		content, err := a.bytes(1)
		if err != nil {
			return nil, err
		}
		return nil, f.Write(ctx, s, a.text(0), content)
	}))
	o.async("files.append", fileWork(func(ctx context.Context, f agent.Files, s agent.FileScope, a args) (any, error) {
		text, err := a.bytes(1)
		if err != nil {
			return nil, err
		}
		return nil, f.Append(ctx, s, a.text(0), text)
	}))
	o.async("files.read", fileWork(func(ctx context.Context, f agent.Files, s agent.FileScope, a args) (any, error) {
		content, err := f.Read(ctx, s, a.text(0))
		return fromBytes(content), err
	}))
	o.async("files.exists", fileWork(func(ctx context.Context, f agent.Files, s agent.FileScope, a args) (any, error) {
		return f.Exists(ctx, s, a.text(0))
	}))
	o.async("files.delete", fileWork(func(ctx context.Context, f agent.Files, s agent.FileScope, a args) (any, error) {
		return f.Delete(ctx, s, a.text(0))
	}))
	o.async("files.list", fileWork(func(ctx context.Context, f agent.Files, s agent.FileScope, a args) (any, error) {
		paths, err := f.List(ctx, s, a.text(0))
		if paths == nil {
			paths = []string{}
		}
		if err != nil {
			return nil, err
		}
		return asJSON(paths)
	}))
}

// fileWork binds a function to the files of its call; the scope comes after the call's id.
func fileWork(f func(context.Context, agent.Files, agent.FileScope, args) (any, error)) asyncOp {
	return func(v *vm, a args) (work, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.Files == nil {
			return nil, errors.New("ctx.host.files is not available: this call has no files")
		}
		var scope agent.FileScope
		if a.text(1) == "session" {
			scope.Session = c.call.Session.ID
		}
		return func(ctx context.Context) (any, error) { return f(ctx, c.call.Files, scope, a[2:]) }, nil
	}
}
