// Package script runs a project's TypeScript: esbuild bundles it, QuickJS runs
// it, one VM on one goroutine with one event loop.
package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"
)

// A Module is one file of a slot.
type Module struct {
	// ID is slot and name, such as "tools/inspect_pr" or "agent".
	ID string
	// File is absolute.
	File string
	// Mount is the namespace of the mount that the module is part of; empty: of none.
	Mount string
}

// Options configure Load. Dir and Modules are required.
type Options struct {
	// Dir is the project's folder: node_modules, tsconfig.json.
	Dir string
	// Cwd is process.cwd(), where relative paths start. Defaults to Dir.
	Cwd     string
	Modules []Module
	// Mounts have their packages' modules for themselves.
	Mounts []Mount
	// Env is process.env. Each VM has a copy of its own.
	Env map[string]string
	// CacheDir keeps bundles between starts; empty: no cache.
	CacheDir string
	// KeepWorn keeps a VM whose code was interrupted often: only one that is lost is
	// replaced.
	KeepWorn bool
	// Workers is how many VMs there are. Defaults to 1.
	Workers int
	// Slice is how long a handler may run without yielding. Defaults to 5 s.
	Slice time.Duration
	// MemoryLimit of one VM in bytes. Defaults to 256 MiB.
	MemoryLimit int64
	// LoadTimeout bounds the evaluation of one module, its top-level awaits
	// included; while modules load it takes the place of Slice. Defaults to 30 s.
	LoadTimeout time.Duration
	// CheckOnly is for a load that is closed again unused: fetch and child
	// processes stay refused, also for timers that module scope left behind.
	CheckOnly bool
	// FetchTimeout bounds a fetch without a signal of its own, from its start to the
	// last byte of its body. Defaults to 60 s.
	FetchTimeout time.Duration
	// FetchBody bounds the unpacked body of one response, in bytes. Defaults to 100 MiB.
	FetchBody int64
	Logger    zerolog.Logger
}

// EnsureDefaults gives a copy with every default filled in.
func (o *Options) EnsureDefaults() *Options {
	c := *o
	if c.Workers <= 0 {
		c.Workers = 1
	}
	if c.Cwd == "" {
		c.Cwd = c.Dir
	}
	if c.Slice <= 0 {
		c.Slice = 5 * time.Second
	}
	if c.MemoryLimit <= 0 {
		c.MemoryLimit = 256 << 20
	}
	if c.FetchTimeout <= 0 {
		c.FetchTimeout = 60 * time.Second
	}
	if c.FetchBody <= 0 {
		c.FetchBody = 100 << 20
	}
	if c.LoadTimeout <= 0 {
		c.LoadTimeout = 30 * time.Second
	}
	return &c
}

// Loaded says what one module's default export is.
type Loaded struct {
	ID   string
	File string
	// Kind is what made the default export: "tool", "agent", "instructions", "string",
	// "hook", … (see the README of the package), "value" for another, "none" for no default export.
	Kind string
	// Spec is the default export as JSON: data as it is, functions as {"$fn": true},
	// schemas as {"$schema": {…JSON Schema…}, "vendor": "zod"|"json-schema"}. Where there
	// is none it lists the names that the file exports instead.
	Spec json.RawMessage
	Err  *Error
}

// ErrClosed is what a call on a closed Runtime returns.
var ErrClosed = errors.New("script: the runtime is closed")

// Prebuild puts the bundle of the modules into the cache, for processes that may not
// write to it. It runs nothing.
func Prebuild(o *Options) error {
	_, err := bundleProject(o.EnsureDefaults())
	return err
}

// Load bundles and evaluates the modules. A module that fails leaves the others
// as they are and has its Err in Loaded. The error is for what makes no module load.
func Load(ctx context.Context, o *Options) (*Runtime, error) {
	o = o.EnsureDefaults()
	b, err := bundleProject(o)
	if err != nil {
		return nil, fmt.Errorf("bundling %s: %w", o.Dir, err)
	}
	r := &Runtime{o: o, bundle: b, loaded: b.loaded}
	for i := range o.Workers {
		v, err := r.open(ctx, i == 0)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("starting a VM: %w", err), r.Close())
		}
		r.vms = append(r.vms, v)
	}
	return r, nil
}
