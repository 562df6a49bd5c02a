package script

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"syscall"
	"time"
)

// fetchError tells a time limit from a network that failed: a TypeError whose cause
// has the code that Node gives.
func fetchError(ctx context.Context, limit time.Duration, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fetchTimedOut(limit)
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return &hostError{Name: "TypeError", Message: "fetch failed: " + err.Error(), Cause: causeOf(err)}
}

func fetchTimedOut(limit time.Duration) error {
	return &hostError{Name: "TimeoutError", Message: fmt.Sprintf("fetch took longer than %v; give it a signal to wait longer", limit)}
}

// netCodes are the system's errors that code looks for by name.
var netCodes = map[syscall.Errno]string{
	syscall.ECONNREFUSED: "ECONNREFUSED", syscall.ECONNRESET: "ECONNRESET", syscall.ETIMEDOUT: "ETIMEDOUT", syscall.EPIPE: "EPIPE",
	syscall.EHOSTUNREACH: "EHOSTUNREACH", syscall.ENETUNREACH: "ENETUNREACH", syscall.EADDRNOTAVAIL: "EADDRNOTAVAIL",
}

// causeOf is the cause of a failed fetch, with its code where it has one.
func causeOf(err error) *hostError {
	cause := &hostError{Name: "Error", Message: err.Error()}
	var (
		no      syscall.Errno
		dns     *net.DNSError
		op      *net.OpError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
	)
	if errors.As(err, &op) {
		cause.Syscall = map[string]string{"dial": "connect"}[op.Op]
	}
	switch {
	case errors.As(err, &dns):
		cause.Code, cause.Syscall, cause.Hostname = "ENOTFOUND", "getaddrinfo", dns.Name
		if dns.IsTemporary {
			cause.Code = "EAI_AGAIN"
		}
	case errors.As(err, &no):
		cause.Code, cause.ErrNo = netCodes[no], -int(no)
	case errors.As(err, &name):
		cause.Code = "ERR_TLS_CERT_ALTNAME_INVALID"
	case errors.As(err, &unknown):
		cause.Code = "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		cause.Code = "CERT_HAS_EXPIRED"
	case errors.As(err, &verify):
		cause.Code = "ERR_TLS_CERT"
	case errors.As(err, &op) && op.Timeout():
		cause.Code = "ETIMEDOUT"
	}
	return cause
}
