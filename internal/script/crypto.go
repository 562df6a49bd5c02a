package script

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"fmt"
	"hash"
	"strings"
)

// hashes by the names of node:crypto and of SubtleCrypto, without their dashes.
var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New,
	"sha384": sha512.New384, "sha512": sha512.New, "sha512256": sha512.New512_256,
}

func hashOfName(name string) (func() hash.Hash, error) {
	h := hashes[strings.ToLower(strings.NewReplacer("-", "", "/", "", "_", "").Replace(name))]
	if h == nil {
		return nil, &hostError{Name: "Error", Message: fmt.Sprintf("Digest method not supported: %q", name), Code: "ERR_CRYPTO_INVALID_DIGEST"}
	}
	return h, nil
}

// cryptoOps serve crypto, crypto.subtle and node:crypto.
func cryptoOps(o *ops) {
	o.sync("crypto.random", func(_ *vm, a args) (any, error) {
		b := make([]byte, a.integer(0))
		_, err := rand.Read(b)
		return fromBytes(b), err
	})
	o.sync("crypto.uuid", func(*vm, args) (any, error) { return uuid(), nil })
	o.sync("crypto.hash", func(_ *vm, a args) (any, error) {
		make, err := hashOfName(a.text(0))
		if err != nil {
			return nil, err
		}
		data, err := a.bytes(1)
		h := make()
		h.Write(data)
		return fromBytes(h.Sum(nil)), err
	})
	o.sync("crypto.hmac", func(_ *vm, a args) (any, error) {
		make, err := hashOfName(a.text(0))
		if err != nil {
			return nil, err
		}
		key, err := a.bytes(1)
		if err != nil {
			return nil, err
		}
		data, err := a.bytes(2)
		h := hmac.New(make, key)
		h.Write(data)
		return fromBytes(h.Sum(nil)), err
	})
	o.sync("crypto.equal", func(_ *vm, a args) (any, error) {
		x, err := a.bytes(0)
		if err != nil {
			return nil, err
		}
		y, err := a.bytes(1)
		return subtle.ConstantTimeCompare(x, y) == 1, err
	})
	o.sync("crypto.pbkdf2", func(_ *vm, a args) (any, error) {
		make, err := hashOfName(a.text(0))
		if err != nil {
			return nil, err
		}
		password, err := a.bytes(1)
		if err != nil {
			return nil, err
		}
		salt, err := a.bytes(2)
		if err != nil {
			return nil, err
		}
		key, err := pbkdf2.Key(make, string(password), salt, a.integer(3), a.integer(4))
		return fromBytes(key), err
	})
}

// uuid is a random one (version 4).
func uuid() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
