package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strings"
)

// container is the file of a workbook.
type container struct {
	parts map[string]*zip.File // by their names in lower case
	left  int64                // bytes which may still be inflated
}

// openContainer reads the directory of a file.
func openContainer(b []byte) (*container, error) {
	switch {
	case bytes.HasPrefix(b, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return nil, errors.New("the file is an encrypted workbook or one of Excel 97 (.xls): save it as .xlsx without a password")
	case !bytes.HasPrefix(b, []byte("PK")):
		return nil, errors.New("the file is no .xlsx workbook")
	}
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, errors.New("the file is no .xlsx workbook, or is damaged: its zip directory cannot be read")
	}
	if len(r.File) > maxParts {
		return nil, fmt.Errorf("the file has %d parts, more than the limit of %d", len(r.File), maxParts)
	}
	c := &container{parts: make(map[string]*zip.File, len(r.File)), left: maxInflated}
	for _, f := range r.File {
		c.parts[partName(f.Name)] = f
	}
	return c, nil
}

// partName is how parts are found: their names do not distinguish case (ECMA-376 part 2, 6.2.2.3).
func partName(s string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(s, `\`, "/"), "/"))
}

// has reports whether there is a part.
func (c *container) has(name string) bool { return c.parts[partName(name)] != nil }

// read inflates a part.
func (c *container) read(name string) ([]byte, error) {
	f := c.parts[partName(name)]
	if f == nil {
		return nil, fmt.Errorf("the workbook is damaged: it has no part %s", quote(name))
	}
	if f.Flags&1 != 0 {
		return nil, errors.New("the workbook is encrypted")
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("the workbook is damaged: part %s cannot be read", quote(name))
	}
	defer r.Close()
	size := f.UncompressedSize64
	if size > maxPart {
		return nil, exceeded(limitPart, maxPart, int64(min(size, math.MaxInt64)), "part %s of the workbook inflates to more than the limit of %d bytes", quote(name), maxPart)
	}
	if size > uint64(c.left) {
		return nil, exceeded(limitTotal, maxInflated, maxInflated-c.left+int64(size), "the parts of the workbook inflate to more than the limit of %d bytes", maxInflated)
	}
	// The directory may lie. Deflate makes a byte of at most 1032, so that memory is only taken
	// for what can come; and what comes has to be as much as the directory says: the reader
	// refuses more.
	buf := []byte(nil)
	if size <= (f.CompressedSize64+1)*1032 {
		buf = make([]byte, size)
	}
	if n, err := io.ReadFull(r, buf); n != int(size) || err != nil && err != io.EOF {
		return nil, fmt.Errorf("the workbook is damaged: part %s cannot be inflated", quote(name))
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return nil, fmt.Errorf("the workbook is damaged: part %s does not inflate to what its directory says", quote(name))
	}
	c.left -= int64(size)
	return buf, nil
}

// A relation is an entry of a part's relationships.
type relation struct {
	kind, target string // kind is the last word of the type
	external     bool
}

// relations reads the relationships of a part by their ids. A part without any has none.
func (c *container) relations(of string) (map[string]relation, error) {
	dir, file := path.Split(of)
	name := dir + "_rels/" + file + ".rels"
	if !c.has(name) {
		return nil, nil
	}
	b, err := c.read(name)
	if err != nil {
		return nil, err
	}
	list := map[string]relation{}
	s := newScanner(b)
	for t := s.next(); t != tokenEnd; t = s.next() {
		if t != tokenOpen || string(s.name) != "Relationship" {
			continue
		}
		kind := s.attrText("Type")
		kind = kind[strings.LastIndexByte(kind, '/')+1:]
		target := strings.ReplaceAll(s.attrText("Target"), `\`, "/")
		if strings.HasPrefix(target, "/") {
			target = path.Clean(target)[1:]
		} else {
			target = strings.TrimPrefix(path.Join("/", dir, target), "/")
		}
		list[s.attrText("Id")] = relation{kind, target, s.attrText("TargetMode") == "External"}
		if len(list) > maxParts {
			return nil, fmt.Errorf("part %s has more than %d relationships", quote(name), maxParts)
		}
	}
	if s.err != nil {
		return nil, damaged(name, s.err)
	}
	return list, nil
}

func damaged(part string, err error) error {
	return fmt.Errorf("the workbook is damaged: part %s: %w", quote(part), err)
}

// quote shows a name from a file or a guest in an error.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
