package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"

	_ "quicksand/hostmods/all"
	"quicksand/modules"
	"quicksand/modules/npm"
	_ "quicksand/modules/wasm"
	_ "quicksand/packs"
)

const packsHelp = `Usage: quicksand packs list|info|compile [flags] [DIR ...]

Looks after sandbox packages: folders in the form of an npm package whose package.json
says under "nodetool" what programs may import. A DIR is such a package, a project with a
node_modules folder, or a folder of packages. No code of a package runs on this machine
outside of a sandbox.

    quicksand packs list [DIR ...]     the modules that "quicksand run --packs DIR" can
                                       import; without DIR, those that come with quicksand
    quicksand packs info [DIR ...]     the same with exports, digests and documentation
    quicksand packs compile DIR ...    make modules of the npm dependencies that packages
                                       declare, from the node_modules where an npm client
                                       has put them. Programs find them in a cache then,
                                       quicksand/modules in $XDG_CACHE_HOME or ~/.cache

Flags:

  --pack NAME   only the package of this name. May be repeated
  --json        print JSON
  --force       compile: also what is in the cache

What is wrong with a package is on standard error; with --json it is in the text.

Exit status: 0 success, 1 something is not available, 2 wrong usage or a failure of the
host, 130 interrupted.

Examples:

  quicksand packs list
  quicksand packs compile ./my-packs
  quicksand run program.js --packs ./my-packs
`

// packsCommand is a parsed command line of quicksand packs.
type packsCommand struct {
	verb        string
	dirs        []string
	only        []string // names of packages
	json, force bool
}

func parsePacks(args []string) (*packsCommand, error) {
	c := &packsCommand{}
	if len(args) == 0 {
		return nil, errors.New("packs needs list, info or compile; try quicksand packs --help")
	}
	f := flag.NewFlagSet("packs", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.BoolVar(&c.json, "json", false, "")
	f.BoolVar(&c.force, "force", false, "")
	f.Func("pack", "", func(s string) error {
		if s == "" {
			return errors.New("want the name of a package")
		}
		c.only = append(c.only, s)
		return nil
	})
	var words []string
	for len(args) > 0 {
		if err := f.Parse(args); err != nil {
			if !errors.Is(err, flag.ErrHelp) {
				err = errors.New(strings.Replace(wording(err).Error(), "quicksand run", "quicksand packs", 1))
			}
			return nil, err
		}
		rest := f.Args()
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" || len(rest) == 0 {
			words = append(words, rest...)
			break
		}
		words = append(words, rest[0])
		args = rest[1:]
	}
	if len(words) == 0 {
		return nil, errors.New("packs needs list, info or compile; try quicksand packs --help")
	}
	c.verb, c.dirs = words[0], words[1:]
	switch {
	case c.verb == "help":
		return nil, flag.ErrHelp
	case c.verb != "list" && c.verb != "info" && c.verb != "compile":
		return nil, fmt.Errorf("packs can list, info and compile, not %q", c.verb)
	case c.verb == "compile" && len(c.dirs) == 0:
		return nil, errors.New("packs compile needs a directory")
	case c.force && c.verb != "compile":
		return nil, errors.New("--force goes with packs compile")
	}
	return c, nil
}

// wants reports whether the command is about a package.
func (c *packsCommand) wants(pack string) bool {
	for _, name := range c.only {
		if name == pack {
			return true
		}
	}
	return len(c.only) == 0
}

// managePacks is quicksand packs.
func managePacks(args []string, stdout, stderr io.Writer) int {
	c, err := parsePacks(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return emitText(stdout, stderr, packsHelp)
	case err != nil:
		return usage(stderr, "%v", err)
	}
	cat, err := modules.Config{Dirs: c.dirs, Bare: len(c.dirs) > 0}.Open()
	if err != nil {
		return usage(stderr, "%v", err)
	}
	if c.verb == "compile" {
		return compilePacks(c, cat, stdout, stderr)
	}
	return showPacks(c, cat, stdout, stderr)
}

// packInfo is a package in the JSON of quicksand packs info.
type packInfo struct {
	modules.Pack
	Description   string       `json:"description,omitempty"`
	Documentation string       `json:"documentation,omitempty"`
	Modules       []moduleInfo `json:"modules"`
}

type moduleInfo struct {
	modules.Summary
	// Exports are what is known of them, and Complete says whether that is all.
	Exports  []string `json:"exports"`
	Complete bool     `json:"exportsComplete"`
	Imports  []string `json:"imports,omitempty"`
}

// showPacks is quicksand packs list and info.
func showPacks(c *packsCommand, cat *modules.Catalog, stdout, stderr io.Writer) int {
	status := exitOK
	summaries := []modules.Summary{}
	byPack := make(map[string][]moduleInfo)
	set := cat.Set()
	for _, s := range cat.Summaries() {
		if !c.wants(s.Pack) {
			continue
		}
		if !s.Available {
			status = exitGuest
		}
		info := moduleInfo{Summary: s, Exports: []string{}}
		if m := set.Lookup(s.Specifier); m != nil {
			info.Exports, info.Complete, info.Imports = append(info.Exports, m.Exports...), m.Complete, m.Imports
		}
		summaries = append(summaries, s)
		byPack[s.Pack] = append(byPack[s.Pack], info)
	}
	packs := []packInfo{}
	for _, p := range cat.Packs() {
		if !c.wants(p.Name) {
			continue
		}
		info := packInfo{Pack: p, Modules: byPack[p.Name]}
		if skill := cat.Skill(p.Name); skill != nil {
			info.Description, info.Documentation = skill.Description, skill.Body
		}
		packs = append(packs, info)
	}
	statuses := []modules.Status{}
	for _, s := range cat.Diagnostics() {
		if s.Pack != "" && !c.wants(s.Pack) {
			continue
		}
		if s.Level == modules.LevelError {
			status = exitGuest
		}
		statuses = append(statuses, s)
	}
	for _, name := range c.only {
		if byPack[name] == nil {
			return usage(stderr, "there is no package %s", name)
		}
	}
	if c.json {
		var v any = struct {
			Modules     []modules.Summary `json:"modules"`
			Diagnostics []modules.Status  `json:"diagnostics"`
		}{summaries, statuses}
		if c.verb == "info" {
			v = struct {
				Packs       []packInfo       `json:"packs"`
				Diagnostics []modules.Status `json:"diagnostics"`
			}{packs, statuses}
		}
		return emitJSON(v, status, stdout, stderr)
	}
	for _, s := range statuses {
		if s.Level != modules.LevelReady {
			fmt.Fprintln(stderr, visible(s.String()))
		}
	}
	if len(packs) == 0 && len(statuses) == 0 {
		fmt.Fprintf(stderr, "there is no sandbox package in %s: no package.json that has \"nodetool\" with \"sandboxModules\"\n", visible(strings.Join(c.dirs, ", ")))
	}
	var text strings.Builder
	if c.verb == "list" {
		listModules(&text, summaries)
	} else {
		for i, p := range packs {
			if i > 0 {
				text.WriteString("\n")
			}
			describePack(&text, p)
		}
	}
	if code := emitText(stdout, stderr, visible(text.String())); code != exitOK {
		return code
	}
	return status
}

func listModules(w io.Writer, list []modules.Summary) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range list {
		about := s.Description
		if !s.Available {
			about = "not available"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.Specifier, s.Version, s.Kind, about)
	}
	t.Flush()
}

func describePack(w io.Writer, p packInfo) {
	fmt.Fprintf(w, "%s %s\n", p.Name, p.Version)
	if p.Dir != "" {
		fmt.Fprintf(w, "  directory  %s\n", p.Dir)
	}
	fmt.Fprintf(w, "  digest     %s\n", p.Digest)
	if p.Description != "" {
		fmt.Fprintf(w, "  about      %s\n", p.Description)
	}
	for _, m := range p.Modules {
		fmt.Fprintf(w, "  module     %s (%s)\n", m.Specifier, m.Kind)
		switch {
		case !m.Available:
			fmt.Fprintf(w, "    not available\n")
			continue
		case m.Complete:
			fmt.Fprintf(w, "    exports  %s\n", strings.Join(m.Exports, ", "))
		default:
			fmt.Fprintf(w, "    exports  %s and perhaps more\n", strings.Join(m.Exports, ", "))
		}
		if len(m.Imports) > 0 {
			fmt.Fprintf(w, "    imports  %s\n", strings.Join(m.Imports, ", "))
		}
	}
	if p.Documentation != "" {
		fmt.Fprintf(w, "\n    %s\n", strings.ReplaceAll(p.Documentation, "\n", "\n    "))
	}
}

// compilePacks is quicksand packs compile.
func compilePacks(c *packsCommand, cat *modules.Catalog, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	status := exitOK
	reports := []*npm.Report{}
	for _, s := range cat.Diagnostics() {
		if s.Level == modules.LevelError && (s.Pack == "" || c.wants(s.Pack)) {
			status = exitGuest
			fmt.Fprintln(stderr, visible(s.String()))
		}
	}
	for _, p := range cat.Packs() {
		if !c.wants(p.Name) || p.NPM == nil {
			continue
		}
		r, err := npm.Compile(ctx, p.Dir, npm.Options{Force: c.force})
		if ctx.Err() != nil {
			return exitInterrupted
		}
		if err != nil {
			return usage(stderr, "%v", err)
		}
		reports = append(reports, r)
		for _, m := range r.Modules {
			if m.Level != modules.LevelReady || m.Uncached != "" {
				status = exitGuest
			}
			if c.json {
				continue
			}
			note := ""
			if m.Cached {
				note = " (cached)"
			}
			line := fmt.Sprintf("%s  %s  %s: %s%s\n", m.Specifier, m.NPM, m.Code, m.Message, note)
			if m.Uncached != "" {
				line += fmt.Sprintf("%s  cannot be kept: %s (%s)\n", m.Specifier, m.Uncached, cacheDir())
			}
			for _, w := range m.Warnings {
				line += fmt.Sprintf("%s  warning: %s\n", m.Specifier, w)
			}
			if code := emitText(stdout, stderr, visible(line)); code != exitOK {
				return code
			}
		}
	}
	if c.json {
		return emitJSON(reports, status, stdout, stderr)
	}
	if len(reports) == 0 {
		fmt.Fprintln(stderr, "no package declares an npm dependency as a module")
	}
	return status
}

// cacheDir is where compiled dependencies are kept, or what makes such a directory.
func cacheDir() string {
	if dir := modules.DefaultCache().Dir(); dir != "" {
		return dir
	}
	return "there is no directory for it: set XDG_CACHE_HOME or HOME"
}

// emitJSON prints v and returns status.
func emitJSON(v any, status int, stdout, stderr io.Writer) int {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return usage(stderr, "%v", err)
	}
	if code := emitText(stdout, stderr, string(text)+"\n"); code != exitOK {
		return code
	}
	return status
}

// packFlags say what a program may import besides --module.
type packFlags struct {
	dirs  []string
	allow []string
	trust []string
}

func (p *packFlags) define(f *flag.FlagSet) {
	list := func(to *[]string, want string) func(string) error {
		return func(s string) error {
			for item := range strings.SplitSeq(s, ",") {
				if item = strings.TrimSpace(item); item == "" {
					return errors.New(want)
				}
				*to = append(*to, item)
			}
			return nil
		}
	}
	f.Func("packs", "", func(s string) error {
		if s == "" {
			return errors.New("want a directory")
		}
		p.dirs = append(p.dirs, s)
		return nil
	})
	f.Func("allow-import", "", list(&p.allow, "want a package, a module, a list of them with commas, or none"))
	f.Func("trust-pack", "", list(&p.trust, "want the name of a package, or a list of them with commas"))
}

// set is what the program may import: by default all that there is. Packages that break a
// rule, of which the program may need one, are named on stderr.
func (p *packFlags) set(stderr io.Writer) (*modules.Set, error) {
	cat, err := modules.Config{Dirs: p.dirs, Trust: p.trust}.Open()
	if err != nil {
		return nil, fmt.Errorf("--packs: %w", err)
	}
	for _, s := range cat.Diagnostics() {
		if s.Level == modules.LevelError {
			fmt.Fprintf(stderr, "quicksand: %s\n", visible(s.String()))
		}
	}
	if len(p.allow) == 1 && p.allow[0] == "none" {
		return nil, nil
	}
	return cat.Set(p.allow...), nil
}
