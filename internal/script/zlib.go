package script

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"io"
)

// inflateLimit bounds what unpacking may give, against bombs.
const inflateLimit = 256 << 20

// zlibOps serve node:zlib: the operation, the bytes and the level.
func zlibOps(o *ops) {
	o.sync("zlib", func(_ *vm, a args) (any, error) { return runZlib(a) })
	o.async("zlib", func(_ *vm, a args) (work, error) {
		return func(context.Context) (any, error) { return runZlib(a[1:]) }, nil
	})
}

func runZlib(a args) (any, error) {
	data, err := a.bytes(1)
	if err != nil {
		return nil, err
	}
	var out []byte
	switch op := a.text(0); op {
	case "gzip", "deflate", "deflateRaw":
		out, err = pack(op, data, a.integer(2))
	default:
		out, err = unpack(op, data)
	}
	if err != nil {
		return nil, &hostError{Name: "Error", Message: err.Error(), Code: "Z_DATA_ERROR"}
	}
	return fromBytes(out), nil
}

func pack(op string, data []byte, level int) ([]byte, error) {
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch op {
	case "gzip":
		w, err = gzip.NewWriterLevel(&b, level)
	case "deflate":
		w, err = zlib.NewWriterLevel(&b, level)
	default:
		w, err = flate.NewWriter(&b, level)
	}
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func unpack(op string, data []byte) ([]byte, error) {
	r, err := unpacker(op, data)
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, inflateLimit+1))
	if err != nil {
		return nil, err
	}
	if len(out) > inflateLimit {
		return nil, fmt.Errorf("the unpacked data is larger than %d MiB", inflateLimit>>20)
	}
	return out, nil
}

func unpacker(op string, data []byte) (io.Reader, error) {
	b := bytes.NewReader(data)
	if op == "unzip" {
		op = "inflate"
		if len(data) > 1 && data[0] == 0x1f && data[1] == 0x8b {
			op = "gunzip"
		}
	}
	switch op {
	case "gunzip":
		return gzip.NewReader(b)
	case "inflate":
		return zlib.NewReader(b)
	case "inflateRaw":
		return flate.NewReader(b), nil
	}
	return nil, fmt.Errorf("zlib has no %s here", op)
}
