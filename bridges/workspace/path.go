package workspace

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"quicksand/bridges"
)

// tempPrefix begins the names of files that are being written.
const tempPrefix = ".quicksand-tmp-"

// hidden reports whether a name is that of a file that is being written.
func hidden(name string) bool {
	return len(name) >= len(tempPrefix) && strings.EqualFold(name[:len(tempPrefix)], tempPrefix)
}

// clean is a guest's path as a name in a store: "a/b", or "." for the root.
//
// Backslashes count as slashes and outer white space does not count; a drive letter, a
// leading slash and a leading "workspace" are dropped, so that "C:\a", "/a", "/workspace/a"
// and "a" are one file. ".." takes a name back, and is an error where there is none.
func clean(op, p string) (string, error) {
	if err := checkText(op, p); err != nil {
		return "", err
	}
	rest := trimRoot(p)
	var names []string
	for len(rest) > 0 {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		switch name {
		case "", ".":
			continue
		case "..":
			if len(names) == 0 {
				return "", outside(p, nil)
			}
			names = names[:len(names)-1]
			continue
		}
		if err := checkName(op, p, name, runtime.GOOS == "windows"); err != nil {
			return "", err
		}
		names = append(names, name)
		if n := int64(len(names)); n > limitPathDepth.Default {
			return "", over(op, &limitPathDepth, limitPathDepth.Default, n, "a path may have %d names: %s", limitPathDepth.Default, show(p))
		}
	}
	if len(names) == 0 {
		return ".", nil
	}
	return strings.Join(names, "/"), nil
}

// trimRoot drops what a path has in front of its names, and makes slashes of backslashes.
func trimRoot(p string) string {
	p = strings.TrimSpace(strings.ReplaceAll(p, `\`, "/"))
	if len(p) >= 2 && p[1] == ':' && isLetter(p[0]) {
		p = p[2:]
	}
	p = strings.TrimLeft(p, "/")
	if p == "workspace" {
		return ""
	}
	return strings.TrimPrefix(p, "workspace/")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// checkText refuses what can be no path at all.
func checkText(op, p string) error {
	if n := int64(len(p)); n > limitPathLength.Default {
		return over(op, &limitPathLength, limitPathLength.Default, n, "a path of %d bytes is longer than the limit of %d", n, limitPathLength.Default)
	}
	switch {
	case strings.IndexByte(p, 0) >= 0:
		return &bridges.Error{Op: op, Name: "TypeError", Code: "EINVAL", Message: "a path cannot contain a NUL character"}
	case !utf8.ValidString(p) || strings.ContainsRune(p, utf8.RuneError):
		// A lone surrogate arrives as U+FFFD.
		return &bridges.Error{Op: op, Name: "TypeError", Code: "EINVAL", Message: "a path cannot contain a lone surrogate or U+FFFD"}
	}
	return nil
}

// checkName refuses names that no store has.
func checkName(op, p, name string, windows bool) error {
	if n := int64(len(name)); n > limitNameLength.Default {
		return over(op, &limitNameLength, limitNameLength.Default, n, "a name of %d bytes is longer than the limit of %d", n, limitNameLength.Default)
	}
	if hidden(name) || windows && reservedOnWindows(name) {
		return &bridges.Error{Kind: bridges.KindDenied, Code: "EACCES", Message: "EACCES: the name is reserved: " + show(p)}
	}
	return nil
}

// reservedOnWindows reports whether Windows takes a name for something other than a file of
// that name: a device, a stream of a file, a wildcard, a shorter name.
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file
func reservedOnWindows(name string) bool {
	if strings.ContainsAny(name, `<>:"|?*`) || strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ") {
		return true
	}
	for _, c := range name {
		if c < 0x20 {
			return true
		}
	}
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	if device, found := strings.CutPrefix(base, "COM"); found {
		return isPort(device)
	}
	device, found := strings.CutPrefix(base, "LPT")
	return found && isPort(device)
}

// isPort reports whether s is a digit of a port, also in its superscript forms.
func isPort(s string) bool {
	switch s {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return true
	}
	return false
}

// cleanHost is a guest's path as an absolute path of the host, with slashes: "~" is home,
// and what is relative starts at base.
func cleanHost(op, p, base, home string) (string, error) {
	if err := checkText(op, p); err != nil {
		return "", err
	}
	name := filepath.FromSlash(p)
	sep := string(filepath.Separator)
	switch {
	case name == "~" || strings.HasPrefix(name, "~"+sep):
		if home == "" {
			return "", failure("ENOENT", "there is no home directory", p, nil)
		}
		name = home + name[1:]
	case !filepath.IsAbs(name):
		name = base + sep + name
	}
	name = filepath.ToSlash(filepath.Clean(name))
	names := strings.Split(name, "/")
	for _, n := range names {
		if err := checkName(op, p, n, false); err != nil {
			return "", err
		}
	}
	// The host's own part of the path does not count.
	if n := int64(len(names) - 1 - strings.Count(filepath.ToSlash(base), "/")); n > limitPathDepth.Default {
		return "", over(op, &limitPathDepth, limitPathDepth.Default, n, "a path may have %d names: %s", limitPathDepth.Default, show(p))
	}
	return name, nil
}

// beneath reports whether name is dir or below it, both names in a store.
func beneath(name, dir string) bool {
	return name == dir || dir == "." || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
}

// join is the name of what is below a directory; "" is the directory.
func join(dir, name string) string {
	switch {
	case name == "":
		return dir
	case dir == ".":
		return name
	}
	return path.Join(dir, name)
}

// parent is the directory of a name.
func parent(name string) string {
	dir := path.Dir(name)
	if strings.HasSuffix(dir, ":") { // a drive of Windows, in host mode
		dir += "/"
	}
	return dir
}
