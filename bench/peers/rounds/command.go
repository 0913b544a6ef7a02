package rounds

import (
	"bytes"
	"flag"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
)

// A Command is what the programs of side-by-side figures share: their flags, a folder, a
// profile of ours, and where results go.
type Command struct {
	// Rounds is how many rounds of each task are wanted.
	Rounds int

	only, profile, markdown, json string
}

// NewCommand defines the flags of a program whose results go to NAME.md and out/name.json.
func NewCommand(name string, rounds int) *Command {
	c := &Command{}
	flag.IntVar(&c.Rounds, "rounds", rounds, "rounds of each task; slow ones may get fewer")
	flag.StringVar(&c.only, "task", "", "only tasks whose name contains this")
	flag.StringVar(&c.profile, "profile", "", "measure ours alone and write a CPU profile to this file")
	flag.StringVar(&c.markdown, "markdown", strings.ToUpper(name)+".md", "file for the tables")
	flag.StringVar(&c.json, "json", "out/"+name+".json", "file for the figures")
	return c
}

// Main reads the flags and calls run with a folder that is removed afterwards. It ends the
// program if run fails.
func (c *Command) Main(run func(dir string) error) {
	log.SetFlags(0)
	flag.Parse()
	dir, err := os.MkdirTemp("", "peers")
	if err == nil {
		err = c.profiled(func() error { return run(dir) })
		os.RemoveAll(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func (c *Command) profiled(f func() error) error {
	if c.profile == "" {
		return f()
	}
	file, err := os.Create(c.profile)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

// Wants reports whether a task was asked for.
func (c *Command) Wants(task string) bool { return strings.Contains(task, c.only) }

// Measure measures a task: its first peer alone for a profile.
func (c *Command) Measure(t Task) Table {
	if c.profile != "" {
		t.Peers = t.Peers[:1]
	}
	return Measure(t, os.Stderr)
}

// Finish prints the tables, and writes them and the figures to their files, unless they are
// but a part, which replaces nothing.
func (c *Command) Finish(r *Report, markdown func(w io.Writer)) error {
	var text bytes.Buffer
	markdown(&text)
	os.Stdout.Write(text.Bytes())
	if c.only != "" || c.profile != "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(c.json), 0o755); err != nil {
		return err
	}
	if err := r.WriteJSON(c.json); err != nil {
		return err
	}
	return os.WriteFile(c.markdown, text.Bytes(), 0o644)
}
