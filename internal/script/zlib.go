package script

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// inflateLimit bounds what unpacking may give, against bombs.
const inflateLimit = 128 << 20

// zlibOps serve node:zlib: the operation, the bytes and the level.
func zlibOps(o *ops) {
	o.sync("zlib.crc32", func(_ *vm, a args) (any, error) {
		data, err := a.bytes(0)
		return float64(crc32.Update(uint32(int64(a.number(1))), crc32.IEEETable, data)), err
	})
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
		out, err = unpack(op, data, a.integer(3))
	}
	if err != nil {
		return nil, zlibError(err)
	}
	return fromBytes(out), nil
}

// zlibError writes what unpacking met as Node does.
func zlibError(err error) error {
	var made *hostError
	switch {
	case errors.As(err, &made):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &hostError{Name: "Error", Message: "unexpected end of file", Code: "Z_BUF_ERROR", ErrNo: -5}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, zlib.ErrHeader):
		return &hostError{Name: "Error", Message: "incorrect header check", Code: "Z_DATA_ERROR", ErrNo: -3}
	}
	return &hostError{Name: "Error", Message: err.Error(), Code: "Z_DATA_ERROR", ErrNo: -3}
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

// unpack gives at most limit bytes, 0 for the limit that holds for all.
func unpack(op string, data []byte, limit int) ([]byte, error) {
	if limit <= 0 || limit > inflateLimit {
		limit = inflateLimit
	}
	r, err := unpacker(op, data)
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(out) > limit {
		return nil, &hostError{Name: "RangeError", Message: fmt.Sprintf("Cannot create a Buffer larger than %d bytes", limit), Code: "ERR_BUFFER_TOO_LARGE"}
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
		if !bytes.HasPrefix([]byte{0x1f, 0x8b}, data[:min(2, len(data))]) {
			return nil, gzip.ErrHeader
		}
		return gzip.NewReader(b)
	case "inflate":
		return zlib.NewReader(b)
	case "inflateRaw":
		return flate.NewReader(b), nil
	}
	return nil, fmt.Errorf("zlib has no %s here", op)
}
