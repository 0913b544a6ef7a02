package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"quicksand/bridges"
)

// Codes of errors, besides those of package bridges and CodeBlocked.
const (
	CodeTimeout  = "ERR_TIMEOUT"       // TimeoutError
	CodeCanceled = "ERR_CANCELED"      // AbortError
	CodeNotFound = "ENOTFOUND"         // DNSError: there is no such name
	CodeDNS      = "EAI_AGAIN"         // DNSError: no server answered
	CodeRefused  = "ECONNREFUSED"      // ConnectError: nobody listens
	CodeConnect  = "ERR_CONNECT"       // ConnectError: for another reason
	CodeTLS      = "ERR_TLS"           // TLSError: no handshake
	CodeCert     = "ERR_TLS_CERT"      // TLSError: a certificate that is not trusted, or of another name
	CodeReset    = "ECONNRESET"        // NetworkError: the connection broke
	CodeNetwork  = "ERR_NETWORK"       // NetworkError: what came was not HTTP
	CodeRedirect = "ERR_REDIRECT"      // NetworkError: too many redirects, or one that was not wanted
	CodeURL      = "ERR_INVALID_URL"   // TypeError
	CodeDecoding = "ERR_BODY_ENCODING" // NetworkError: a compressed body is damaged
)

// Causes of a context's end.
var (
	errTimeout  = errors.New("fetch: timeout")
	errCanceled = errors.New("fetch: aborted")
)

func typeErrorf(format string, args ...any) *bridges.Error {
	return bridges.TypeErrorf("fetch", format, args...)
}

func netError(name, code string, err error, format string, args ...any) *bridges.Error {
	return &bridges.Error{Op: "fetch", Name: name, Code: code, Message: fmt.Sprintf(format, args...), Err: err}
}

// explain turns what stopped a request to host into an error that guests may see. Nothing
// of err's text is in it.
func explain(ctx context.Context, host string, err error, timeout time.Duration, ours bool) *bridges.Error {
	var known *bridges.Error
	if errors.As(err, &known) {
		return known
	}
	switch cause := context.Cause(ctx); {
	case cause == nil:
	case errors.Is(cause, errTimeout):
		e := netError("TimeoutError", CodeTimeout, err, "no complete answer from %q within %d ms", host, timeout.Milliseconds())
		if ours {
			e.Kind, e.Limit, e.Value, e.Used = bridges.KindLimit, timeoutLimit.Name, int64(timeout), int64(timeout)
			e.Message += " (" + timeoutLimit.Name + ")"
		}
		return e
	case errors.Is(cause, errCanceled):
		return netError("AbortError", CodeCanceled, err, "this operation was aborted")
	default:
		return &bridges.Error{Name: "ExecutionCancelled", Code: CodeCanceled, Message: "Execution cancelled", Err: err}
	}

	var (
		dns       *net.DNSError
		unknown   x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		verify    *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		alert     tls.AlertError
		operation *net.OpError
	)
	switch {
	case errors.As(err, &dns):
		if dns.IsNotFound {
			return netError("DNSError", CodeNotFound, err, "the name %q was not found", host)
		}
		return netError("DNSError", CodeDNS, err, "the name %q could not be resolved", host)
	case errors.As(err, &unknown):
		return netError("TLSError", CodeCert, err, "the certificate of %q is from an unknown authority", host)
	case errors.As(err, &name):
		return netError("TLSError", CodeCert, err, "the certificate is not for %q", host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return netError("TLSError", CodeCert, err, "the certificate of %q is expired or not yet valid", host)
	case errors.As(err, &verify), errors.As(err, &invalid):
		return netError("TLSError", CodeCert, err, "the certificate of %q is not valid", host)
	case errors.As(err, &record):
		return netError("TLSError", CodeTLS, err, "%q does not speak TLS on this port", host)
	case errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return netError("TLSError", CodeTLS, err, "there was no TLS handshake with %q", host)
	case errors.As(err, &operation) && operation.Op == "dial":
		if errors.Is(err, syscall.ECONNREFUSED) {
			return netError("ConnectError", CodeRefused, err, "%q refused the connection", host)
		}
		return netError("ConnectError", CodeConnect, err, "%q cannot be reached", host)
	case errors.As(err, &operation) && operation.Op == "proxyconnect":
		return netError("ConnectError", CodeConnect, err, "%q cannot be reached through the proxy", host)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.As(err, &operation):
		return netError("NetworkError", CodeReset, err, "%q closed the connection before its answer was complete", host)
	case strings.Contains(err.Error(), "headers exceeded"), strings.Contains(err.Error(), "header list"):
		return netError("NetworkError", CodeNetwork, err, "the headers of the answer of %q are larger than %d bytes", host, MaxResponseHeader)
	}
	return netError("NetworkError", CodeNetwork, err, "%q did not give a valid answer", host)
}
