package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"quicksand/bridges"
)

// A Policy grants a run a workspace and says what it is. The zero Policy is an empty tree in
// memory, which ends with the run and is not larger than its Limits.Memory.
//
// A Policy may serve many runs at one time. Each keeps an account of its own: quotas say
// what one run may make of what it finds.
type Policy struct {
	// Dir is a directory of the host that becomes the workspace. It is opened at the first
	// call of a run and closed at its end.
	Dir string
	// FS is the workspace when there is no Dir: writable when it is a Store, such as a
	// *Memory, else to read only. Its links and names are the host's responsibility.
	FS fs.FS
	// ReadOnly refuses all calls that change something.
	ReadOnly bool
	// HostMode takes all containment away: paths are those of the machine, with the rights
	// of the process. Relative ones start at Dir, which must be absolute, and "~" is Home.
	HostMode bool
	// Home is what "~" means in host mode. Empty means the home directory of the process.
	Home string
	// ShowDir makes workspace.root() return Dir instead of "/workspace"; paths that begin
	// with it are then understood. In host mode it is always so.
	ShowDir bool

	// MaxBytes is the limit WorkspaceBytes, MaxFiles WorkspaceFiles, MaxFileSize
	// WorkspaceFileSize, MaxReadSize WorkspaceReadSize, and MaxEntries WorkspaceEntries.
	// Zero means the default.
	MaxBytes, MaxFiles, MaxFileSize, MaxReadSize, MaxEntries int64
}

// check is Bridge.Check: a copy with all limits set.
func check(grant any) (any, error) {
	given, ok := grant.(*Policy)
	if !ok || given == nil {
		return nil, errors.New("it must be a *workspace.Policy")
	}
	p := *given
	switch {
	case p.Dir != "" && p.FS != nil:
		return nil, errors.New("Dir and FS are two workspaces, set one of them")
	case p.HostMode && !filepath.IsAbs(p.Dir):
		return nil, errors.New("HostMode needs an absolute Dir, where relative paths start")
	case p.ShowDir && p.Dir == "":
		return nil, errors.New("ShowDir needs a Dir")
	}
	for _, row := range []struct {
		limit *bridges.Limit
		value *int64
	}{{&limitBytes, &p.MaxBytes}, {&limitFiles, &p.MaxFiles}, {&limitFileSize, &p.MaxFileSize}, {&limitReadSize, &p.MaxReadSize}, {&limitEntries, &p.MaxEntries}} {
		v, err := row.limit.Resolve(*row.value)
		if err != nil {
			return nil, err
		}
		*row.value = v
	}
	return &p, nil
}

// open is Bridge.Open. grant is what check returned.
func open(s *bridges.Session, grant any) (any, error) {
	p := grant.(*Policy)
	w := &Workspace{readOnly: p.ReadOnly, host: p.HostMode, root: "/workspace", entries: p.MaxEntries, fileSize: p.MaxFileSize,
		readSize: min(p.MaxReadSize, s.Memory()), memory: s.Memory(), lock: make(chan struct{}, 1), freed: make(chan struct{})}
	w.account = account{maxBytes: p.MaxBytes, maxFiles: p.MaxFiles}
	if p.HostMode || p.ShowDir {
		dir, err := filepath.Abs(p.Dir)
		if err != nil {
			return nil, noWorkspace(err)
		}
		w.root = filepath.ToSlash(dir)
	}
	switch {
	case p.HostMode:
		w.store, w.home = hostFiles{}, p.Home
		if w.home == "" {
			w.home, _ = os.UserHomeDir() // without one "~" is an error
		}
		w.account.counted = true
	case p.Dir != "":
		dir, err := OpenDir(p.Dir)
		if err != nil {
			return nil, noWorkspace(err)
		}
		w.store, w.close = dir, dir.Close
	case p.FS == nil:
		w.store = NewMemory(s.Now)
		w.account.maxBytes = min(w.account.maxBytes, s.Memory())
	default:
		store, ok := p.FS.(Store)
		if !ok {
			store, w.readOnly = readOnly{p.FS}, true
		}
		w.store = store
	}
	return w, nil
}

// noWorkspace hides what is wrong with the host's directory.
func noWorkspace(err error) error {
	return &bridges.Error{Kind: bridges.KindInternal, Name: "InternalError", Op: "workspace", Message: "the workspace cannot be opened", Err: err}
}

// describe is Bridge.Describe. grant is what check returned.
func describe(grant any) any {
	p := grant.(*Policy)
	kind := "memory"
	readOnly := p.ReadOnly
	switch {
	case p.HostMode:
		kind = "host"
	case p.Dir != "":
		kind = "directory"
	case p.FS != nil:
		if _, ok := p.FS.(Store); !ok {
			kind, readOnly = "files", true
		}
	}
	return map[string]any{"kind": kind, "readOnly": readOnly, "maxBytes": p.MaxBytes, "maxFiles": p.MaxFiles,
		"maxFileSize": p.MaxFileSize, "maxReadSize": p.MaxReadSize, "maxEntries": p.MaxEntries}
}
