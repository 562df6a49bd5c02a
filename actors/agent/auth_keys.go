package agent

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// minRSA is the size under which an RSA key is no protection.
const minRSA = 2048

func (r *JWTRules) check() error {
	switch {
	case (r.JWKSURL == "") == (len(r.Keys) == 0):
		return errors.New("jwtAuth takes either a JWKS URL or keys")
	case r.Issuer == "":
		return errors.New("jwtAuth has no issuer: without one, tokens of anybody whose keys are trusted would do")
	case r.Audience == "":
		return errors.New("jwtAuth has no audience: without one, tokens made for another service would do")
	}
	if r.JWKSURL != "" {
		if err := CheckJWKSURL(r.JWKSURL); err != nil {
			return fmt.Errorf("jwtAuth: %w", err)
		}
	}
	_, _, err := r.ParseKeys()
	return err
}

// CheckJWKSURL refuses an address that keys cannot be trusted from: it is https, or
// http on this machine.
func CheckJWKSURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" {
		return errors.New("the JWKS URL is no address of the form https://host/path")
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Scheme == "https" || u.Scheme == "http" && local {
		return nil
	}
	return fmt.Errorf("the JWKS URL %s is not https, so that anybody between could give keys", s)
}

// ParseKeys tells public keys from shared secrets. A text that is a public key in
// any common form is never a secret: everybody knows it, and could sign with it.
func (r *JWTRules) ParseKeys() (public []crypto.PublicKey, shared [][]byte, err error) {
	for i, text := range r.Keys {
		if strings.Contains(text, "-----BEGIN") {
			key, err := parsePEM(text)
			if err != nil {
				return nil, nil, fmt.Errorf("jwtAuth: key %d: %w", i+1, err)
			}
			public = append(public, key)
			continue
		}
		if what := mistaken(text); what != "" {
			return nil, nil, fmt.Errorf("jwtAuth: key %d is %s: give a public key in PEM, or a shared secret", i+1, what)
		}
		shared = append(shared, []byte(text))
	}
	return public, shared, nil
}

// mistaken says what a text is that must not be taken for a shared secret.
func mistaken(text string) string {
	trimmed := strings.TrimSpace(text)
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(trimmed), ""))
	switch {
	case trimmed == "":
		return "empty, as when a variable is not set"
	case trimmed[0] == '{':
		return "a JSON object"
	case strings.HasPrefix(trimmed, "ssh-"), strings.HasPrefix(trimmed, "ecdsa-sha2-"):
		return "an SSH key"
	case err == nil && isDER(der):
		return "a public key without the PEM lines around it"
	}
	return ""
}

func isDER(b []byte) bool {
	if _, err := x509.ParsePKIXPublicKey(b); err == nil {
		return true
	}
	if _, err := x509.ParsePKCS1PublicKey(b); err == nil {
		return true
	}
	_, err := x509.ParseCertificate(b)
	return err == nil
}

func parsePEM(text string) (crypto.PublicKey, error) {
	block, rest := pem.Decode([]byte(strings.TrimSpace(text)))
	switch {
	case block == nil:
		return nil, errors.New("the PEM text cannot be read")
	case strings.TrimSpace(string(rest)) != "":
		return nil, errors.New("it holds more than one PEM block: give each key by itself")
	case strings.Contains(block.Type, "PRIVATE"):
		return nil, errors.New("it is a private key: verifying needs the public one alone")
	}
	switch block.Type {
	case "PUBLIC KEY":
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		return checkPublic(key, err)
	case "RSA PUBLIC KEY":
		key, err := x509.ParsePKCS1PublicKey(block.Bytes)
		return checkPublic(key, err)
	case "CERTIFICATE":
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return checkPublic(nil, err)
		}
		return checkPublic(cert.PublicKey, nil)
	}
	return nil, fmt.Errorf("a PEM block %q is no public key", block.Type)
}

func checkPublic(key any, err error) (crypto.PublicKey, error) {
	if err != nil {
		return nil, errors.New("the public key cannot be read")
	}
	return key, CheckPublicKey(key)
}

// CheckPublicKey refuses keys that cannot verify a JWT, and RSA keys that are too short.
func CheckPublicKey(key crypto.PublicKey) error {
	switch k := key.(type) {
	case *rsa.PublicKey:
		if k.N.BitLen() < minRSA {
			return fmt.Errorf("an RSA key of %d bits is too short: take %d or more", k.N.BitLen(), minRSA)
		}
	case *ecdsa.PublicKey:
		if n := k.Curve.Params().BitSize; n != 256 && n != 384 && n != 521 {
			return fmt.Errorf("the curve %s is none of P-256, P-384 and P-521", k.Curve.Params().Name)
		}
	case ed25519.PublicKey:
	default:
		return fmt.Errorf("a key of type %T cannot verify tokens", key)
	}
	return nil
}
