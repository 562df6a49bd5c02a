package script

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// keyInfo is what a KeyObject tells of itself.
type keyInfo struct {
	Kind string `json:"kind"` // "private" or "public"
	Type string `json:"type"` // "rsa", "ec" or "ed25519"
	// PEM is PKCS #8 or SPKI, whatever the key came as.
	PEM   string `json:"pem"`
	Bits  int    `json:"bits,omitempty"`
	Curve string `json:"curve,omitempty"`
}

// keyOps serve the signatures of node:crypto.
func keyOps(o *ops) {
	o.sync("crypto.key", func(_ *vm, a args) (any, error) {
		text := a.text(0)
		if der, err := a.bytes(1); err == nil && len(der) > 0 {
			text = string(pem.EncodeToMemory(&pem.Block{Type: "ANY", Bytes: der}))
		}
		key, err := parseKey(text)
		if err != nil {
			return nil, badKey(err)
		}
		if a.flag(2) {
			key = publicOf(key)
		}
		info, err := infoOfKey(key)
		if err != nil {
			return nil, badKey(err)
		}
		return asJSON(info)
	})
	o.sync("crypto.sign", func(_ *vm, a args) (any, error) {
		data, err := a.bytes(2)
		if err != nil {
			return nil, err
		}
		signature, err := signWith(a.text(0), a.text(1), data, a.flag(3), a.text(4))
		return fromBytes(signature), err
	})
	o.sync("crypto.verify", func(_ *vm, a args) (any, error) {
		data, err := a.bytes(2)
		if err != nil {
			return nil, err
		}
		signature, err := a.bytes(5)
		if err != nil {
			return nil, err
		}
		return verifyWith(a.text(0), a.text(1), data, a.flag(3), a.text(4), signature)
	})
}

func badKey(err error) error {
	return &hostError{Name: "Error", Message: "the key cannot be read: " + err.Error(), Code: "ERR_OSSL_UNSUPPORTED"}
}

// parseKey reads a PEM of any of the usual kinds.
func parseKey(text string) (any, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("it is no PEM")
	}
	if strings.Contains(block.Type, "ENCRYPTED") || block.Headers["DEK-Info"] != "" {
		return nil, errors.New("it is encrypted, which is not supported")
	}
	der := block.Bytes
	if key, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		return key, nil
	}
	if key, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return key, nil
	}
	if key, err := x509.ParseECPrivateKey(der); err == nil {
		return key, nil
	}
	if key, err := x509.ParsePKIXPublicKey(der); err == nil {
		return key, nil
	}
	if key, err := x509.ParsePKCS1PublicKey(der); err == nil {
		return key, nil
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, errors.New("it is none of RSA, EC, Ed25519, or a certificate")
	}
	return certificate.PublicKey, nil
}

func publicOf(key any) any {
	if private, ok := key.(crypto.Signer); ok {
		return private.Public()
	}
	return key
}

func infoOfKey(key any) (*keyInfo, error) {
	info := &keyInfo{Kind: "public"}
	block := &pem.Block{Type: "PUBLIC KEY"}
	var err error
	if _, private := key.(crypto.Signer); private {
		info.Kind, block.Type = "private", "PRIVATE KEY"
		block.Bytes, err = x509.MarshalPKCS8PrivateKey(key)
	} else {
		block.Bytes, err = x509.MarshalPKIXPublicKey(key)
	}
	if err != nil {
		return nil, err
	}
	info.PEM = string(pem.EncodeToMemory(block))
	switch k := publicOf(key).(type) {
	case *rsa.PublicKey:
		info.Type, info.Bits = "rsa", k.N.BitLen()
	case *ecdsa.PublicKey:
		info.Type, info.Curve = "ec", curveNames[k.Curve]
	case ed25519.PublicKey:
		info.Type = "ed25519"
	default:
		return nil, fmt.Errorf("keys of type %T are not supported", key)
	}
	return info, nil
}

var curveNames = map[elliptic.Curve]string{elliptic.P256(): "prime256v1", elliptic.P384(): "secp384r1", elliptic.P521(): "secp521r1"}

// digestOf hashes data with what an algorithm's name says: RSA-SHA256, sha256.
func digestOf(algorithm string, data []byte) (crypto.Hash, []byte, error) {
	name := strings.TrimPrefix(strings.ToLower(algorithm), "rsa-")
	made, err := hashOfName(name)
	if err != nil {
		return 0, nil, err
	}
	h := made()
	h.Write(data)
	kinds := map[int]crypto.Hash{16: crypto.MD5, 20: crypto.SHA1, 28: crypto.SHA224, 32: crypto.SHA256, 48: crypto.SHA384, 64: crypto.SHA512}
	return kinds[h.Size()], h.Sum(nil), nil
}

// signWith signs data: RSA with PKCS #1 or PSS, ECDSA in DER or, for "ieee-p1363", as
// two numbers, Ed25519.
func signWith(algorithm, key string, data []byte, pss bool, encoding string) ([]byte, error) {
	parsed, err := parseKey(key)
	if err != nil {
		return nil, badKey(err)
	}
	if k, ok := parsed.(ed25519.PrivateKey); ok {
		return ed25519.Sign(k, data), nil
	}
	kind, digest, err := digestOf(algorithm, data)
	if err != nil {
		return nil, err
	}
	switch k := parsed.(type) {
	case *rsa.PrivateKey:
		if pss {
			return rsa.SignPSS(rand.Reader, k, kind, digest, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
		}
		return rsa.SignPKCS1v15(rand.Reader, k, kind, digest)
	case *ecdsa.PrivateKey:
		if encoding != "ieee-p1363" {
			return ecdsa.SignASN1(rand.Reader, k, digest)
		}
		r, s, err := ecdsa.Sign(rand.Reader, k, digest)
		if err != nil {
			return nil, err
		}
		size := (k.Params().BitSize + 7) / 8
		return append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...), nil
	}
	return nil, badKey(errors.New("signing needs a private key"))
}

func verifyWith(algorithm, key string, data []byte, pss bool, encoding string, signature []byte) (bool, error) {
	parsed, err := parseKey(key)
	if err != nil {
		return false, badKey(err)
	}
	public := publicOf(parsed)
	if k, ok := public.(ed25519.PublicKey); ok {
		return ed25519.Verify(k, data, signature), nil
	}
	kind, digest, err := digestOf(algorithm, data)
	if err != nil {
		return false, err
	}
	switch k := public.(type) {
	case *rsa.PublicKey:
		if pss {
			return rsa.VerifyPSS(k, kind, digest, signature, nil) == nil, nil
		}
		return rsa.VerifyPKCS1v15(k, kind, digest, signature) == nil, nil
	case *ecdsa.PublicKey:
		if encoding != "ieee-p1363" {
			return ecdsa.VerifyASN1(k, digest, signature), nil
		}
		half := len(signature) / 2
		r, s := new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:])
		return ecdsa.Verify(k, digest, r, s), nil
	}
	return false, badKey(errors.New("its type has no signatures"))
}
