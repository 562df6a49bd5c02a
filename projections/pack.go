package projections

import "encoding/binary"

// A packer appends fields to a row: strings and lists with their length before
// them, numbers as varints. Nothing names a field: a change of the fields is a
// change of the projection's version.
type packer struct{ b []byte }

func (p *packer) uint(n uint64) { p.b = binary.AppendUvarint(p.b, n) }
func (p *packer) int(n int64)   { p.b = binary.AppendVarint(p.b, n) }

func (p *packer) strs(list ...string) {
	for _, s := range list {
		p.uint(uint64(len(s)))
		p.b = append(p.b, s...)
	}
}

func (p *packer) list(list []string) {
	p.uint(uint64(len(list)))
	p.strs(list...)
}

func (p *packer) bools(list ...bool) {
	var bits byte
	for i, b := range list {
		if b {
			bits |= 1 << i
		}
	}
	p.b = append(p.b, bits)
}

// An unpacker reads what a packer wrote, in the same order. After the first
// field that is not there it is short, and gives zeros.
type unpacker struct {
	b     []byte
	short bool
}

func (u *unpacker) uint() uint64 {
	n, k := binary.Uvarint(u.b)
	u.skip(k)
	return n
}

func (u *unpacker) int() int64 {
	n, k := binary.Varint(u.b)
	u.skip(k)
	return n
}

func (u *unpacker) skip(n int) {
	if n <= 0 || n > len(u.b) {
		u.b, u.short = nil, true
		return
	}
	u.b = u.b[n:]
}

// count is a length; it never exceeds the bytes that are left.
func (u *unpacker) count() int {
	n := u.uint()
	if n > uint64(len(u.b)) {
		u.b, u.short = nil, true
		return 0
	}
	return int(n)
}

func (u *unpacker) strs(list ...*string) {
	for _, s := range list {
		n := u.count()
		*s = string(u.b[:n])
		u.b = u.b[n:]
	}
}

// list gives nil for an empty list.
func (u *unpacker) list() []string {
	n := u.count()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		u.strs(&list[i])
	}
	return list
}

func (u *unpacker) bools(list ...*bool) {
	if len(u.b) == 0 {
		u.short = true
		return
	}
	bits := u.b[0]
	u.b = u.b[1:]
	for i, b := range list {
		*b = bits&(1<<i) != 0
	}
}
