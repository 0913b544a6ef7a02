package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode/utf8"

	"quicksand/bridges"
)

// What a Store may return besides the errors of io/fs and of system calls.
var (
	// ErrOutside is the error for a name that leads out of the store through a link, or
	// through a link that has no target.
	ErrOutside = errors.New("workspace: the path leads outside")
	// ErrNotRegular is the error for what is neither a file nor a directory.
	ErrNotRegular = errors.New("workspace: not a regular file")
)

// failure makes errors with a code; the texts are those that guests know from Node.
func failure(code, message, path string, err error) *bridges.Error {
	return &bridges.Error{Code: code, Message: code + ": " + message + ": " + show(path), Err: err}
}

// outside is the error for a path that leaves the workspace.
func outside(path string, err error) *bridges.Error {
	return &bridges.Error{Kind: bridges.KindDenied, Code: "EACCES", Message: fmt.Sprintf("Path '%s' is outside the workspace", show(path)), Err: err}
}

func noFile(path string) *bridges.Error {
	return failure("ENOENT", "no such file", path, fs.ErrNotExist)
}

func isDirectory(path string) *bridges.Error {
	return failure("EISDIR", "is a directory", path, syscall.EISDIR)
}

func notDirectory(path string) *bridges.Error {
	return failure("ENOTDIR", "not a directory", path, syscall.ENOTDIR)
}

func notRegular(path string) *bridges.Error {
	return failure("EINVAL", "not a regular file", path, ErrNotRegular)
}

// codes are the errors of stores that guests can tell apart. The first that fits counts.
var codes = []struct {
	err           error
	code, message string
}{
	{fs.ErrNotExist, "ENOENT", "no such file"},
	{ErrNotRegular, "EINVAL", "not a regular file"},
	{syscall.ENOTEMPTY, "ENOTEMPTY", "directory not empty"},
	{fs.ErrExist, "EEXIST", "already exists"},
	{syscall.EROFS, "EROFS", "read-only"},
	{fs.ErrPermission, "EACCES", "permission denied"},
	{syscall.ENOTDIR, "ENOTDIR", "not a directory"},
	{syscall.EISDIR, "EISDIR", "is a directory"},
	{syscall.ENAMETOOLONG, "ENAMETOOLONG", "name too long"},
	{syscall.ELOOP, "ELOOP", "too many links"},
	{syscall.ENOSPC, "ENOSPC", "no space left"},
	{syscall.EDQUOT, "ENOSPC", "no space left"},
	{syscall.EFBIG, "EFBIG", "file too large"},
	{syscall.EMFILE, "EMFILE", "too many open files"},
	{syscall.ENFILE, "EMFILE", "too many open files"},
	{syscall.EBUSY, "EBUSY", "in use"},
	{syscall.ETXTBSY, "EBUSY", "in use"},
	{syscall.EXDEV, "EXDEV", "on another device"},
	{syscall.EINVAL, "EINVAL", "not possible"},
	{fs.ErrInvalid, "EINVAL", "not possible"},
}

// explain is an error of a store as the guest may know it, about its own path.
func explain(path string, err error) error {
	var own *bridges.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, ErrOutside):
		return outside(path, err)
	}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return failure(c.code, c.message, path, err)
		}
	}
	return failure("EIO", "input or output failed", path, err)
}

// show is a path in an error: the guest's own, cut where it is absurd.
func show(path string) string {
	const most = 300
	path = strings.ToValidUTF8(path, "\uFFFD")
	if len(path) <= most {
		return path
	}
	cut := most
	for !utf8.RuneStart(path[cut]) {
		cut--
	}
	return path[:cut] + "…"
}
