package workspace

import (
	"context"
	"errors"
	"io/fs"
)

// account is what a workspace holds. The lock of the workspace guards it.
type account struct {
	maxBytes, maxFiles int64
	bytes, files       int64
	counted            bool
}

// count counts what is there, once. It stops where there are more files than the limit: no
// file can be added then, and what counts after one was removed is counted again.
func (w *Workspace) count(ctx context.Context, op string) error {
	if w.account.counted {
		return nil
	}
	w.account.bytes, w.account.files = 0, 0
	dirs := []string{"."}
	for len(dirs) > 0 {
		dir := dirs[len(dirs)-1]
		dirs = dirs[:len(dirs)-1]
		err := w.entriesOf(ctx, dir, func(e fs.DirEntry) error {
			if w.account.files++; w.account.files > w.account.maxFiles {
				return over(op, &limitFiles, w.account.maxFiles, w.account.files, "the workspace already holds more than %d files", w.account.maxFiles)
			}
			name := join(dir, e.Name())
			if e.IsDir() {
				dirs = append(dirs, name)
			} else if e.Type().IsRegular() {
				// Of a directory that another process may change, only a look through the
				// store is sure to be at a file inside.
				if fi, err := lstat(w.store, name); err == nil && fi.Mode().IsRegular() {
					w.account.bytes += fi.Size()
				}
			}
			return nil
		})
		if dir != "." && (isMissing(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrOutside)) {
			continue // it went away, or nobody here can see what is in it
		}
		if err != nil {
			return err
		}
	}
	w.account.counted = true
	return nil
}

// charge adds to the account, or says which limit does not allow that.
func (w *Workspace) charge(op string, bytes, files int64) error {
	a := &w.account
	if used := a.bytes + bytes; bytes > 0 && used > a.maxBytes {
		return over(op, &limitBytes, a.maxBytes, used, "the workspace would hold %d bytes, more than the limit of %d", used, a.maxBytes)
	}
	if used := a.files + files; files > 0 && used > a.maxFiles {
		return over(op, &limitFiles, a.maxFiles, used, "the workspace would hold %d files and directories, more than the limit of %d", used, a.maxFiles)
	}
	w.credit(-bytes, -files)
	return nil
}

// credit takes from the account. In host mode files count that were there before.
func (w *Workspace) credit(bytes, files int64) {
	a := &w.account
	a.bytes, a.files = max(a.bytes-bytes, 0), max(a.files-files, 0)
}

// held bounds what the reads of a run hold at one time: it waits until n more bytes, at
// most w.memory, are within w.memory. Who took gives back.
func (w *Workspace) take(ctx context.Context, n int64) error {
	for {
		w.mu.Lock()
		if w.held+n <= w.memory {
			w.held += n
			w.mu.Unlock()
			return nil
		}
		freed := w.freed
		w.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (w *Workspace) give(n int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held -= n
	close(w.freed)
	w.freed = make(chan struct{})
}
