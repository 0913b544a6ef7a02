package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"

	"quicksand"
	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/bridges/fetch"
	"quicksand/bridges/mediabridge"
	"quicksand/bridges/secrets"
	"quicksand/bridges/stream"
	"quicksand/bridges/workspace"
	canvastext "quicksand/canvas/text"
)

// grants are the flags that let a program do more than compute.
type grants struct {
	workspace      string
	assets         string
	timers         bool
	readOnly       bool
	hosts          []string
	privateNetwork bool
	secrets        secrets.Map
	bound          map[string][]string // hosts by name of a secret
	stream, lines  string              // handle of the input stream, and its file
	fonts          []string            // FILE or FAMILY=FILE
}

func (g *grants) define(f *flag.FlagSet) {
	f.StringVar(&g.workspace, "workspace", "", "")
	f.BoolVar(&g.readOnly, "read-only", false, "")
	f.StringVar(&g.assets, "assets", "", "")
	f.BoolVar(&g.timers, "timers", false, "")
	f.BoolVar(&g.privateNetwork, "allow-private-network", false, "")
	f.Func("allow-net", "", func(s string) error {
		hosts, err := hostList(s)
		g.hosts = append(g.hosts, hosts...)
		return err
	})
	f.Func("secret", "", func(s string) error {
		name, value, given := strings.Cut(s, "=")
		if name == "" {
			return errors.New("want NAME or NAME=VALUE")
		}
		if !given {
			if value, given = os.LookupEnv(name); !given {
				return fmt.Errorf("the environment has no variable %s", name)
			}
		}
		if g.secrets == nil {
			g.secrets = make(secrets.Map)
		}
		g.secrets[name] = value
		return nil
	})
	f.Func("secret-host", "", func(s string) error {
		name, list, ok := strings.Cut(s, "=")
		hosts, err := hostList(list)
		if !ok || name == "" || err != nil {
			return errors.New("want NAME=HOST or NAME=HOST,HOST")
		}
		if g.bound == nil {
			g.bound = make(map[string][]string)
		}
		g.bound[name] = append(g.bound[name], hosts...)
		return nil
	})
	f.Func("font", "", func(s string) error {
		if family, file, named := strings.Cut(s, "="); s == "" || named && (family == "" || file == "") {
			return errors.New("want FILE or FAMILY=FILE")
		}
		g.fonts = append(g.fonts, s)
		return nil
	})
	f.Func("stream", "", func(s string) error {
		name, file, ok := strings.Cut(s, "=")
		if !ok || name == "" || file == "" {
			return errors.New("want NAME=FILE, or NAME=- for standard input")
		}
		if g.stream != "" {
			return errors.New("there can be one stream")
		}
		g.stream, g.lines = name, file
		return nil
	})
}

// hostList takes a list apart; "all" is every public host.
func hostList(s string) ([]string, error) {
	var hosts []string
	for h := range strings.SplitSeq(s, ",") {
		switch h = strings.TrimSpace(h); h {
		case "":
			return nil, errors.New("want a host, a list of hosts with commas, or all")
		case "all":
			h = "*"
		}
		hosts = append(hosts, h)
	}
	return hosts, nil
}

// byScheme adds the scheme that a secret may be sent by to hosts that do not name one: https,
// or either to this machine. plain reports whether there is one that may have it by http.
func byScheme(hosts []string) (bound []string, plain bool) {
	for _, h := range hosts {
		plain = plain || strings.HasPrefix(h, "http://") || isThisMachine(h)
	}
	for _, h := range hosts {
		// Without any of those the client's own error says that the secret needs https.
		if plain && !strings.Contains(h, "://") && !isThisMachine(h) {
			h = "https://" + h
		}
		bound = append(bound, h)
	}
	return bound, plain
}

// isThisMachine reports whether a host, perhaps with a port, is always this machine.
func isThisMachine(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// check finds what does not go together.
func (g *grants) check() error {
	switch {
	case g.readOnly && g.workspace == "":
		return errors.New("--read-only needs --workspace")
	case g.privateNetwork && len(g.hosts) == 0:
		return errors.New("--allow-private-network needs --allow-net")
	}
	for name := range g.bound {
		if _, ok := g.secrets[name]; !ok {
			return fmt.Errorf("--secret-host %s needs --secret %s", name, name)
		}
		if len(g.hosts) == 0 {
			return errors.New("--secret-host needs --allow-net")
		}
	}
	return nil
}

// grant fills the options of a run.
func (g *grants) grant(o *quicksand.Options, stdin io.Reader) error {
	if g.workspace != "" {
		if info, err := os.Stat(g.workspace); err != nil {
			return fmt.Errorf("--workspace: %w", err)
		} else if !info.IsDir() {
			return fmt.Errorf("--workspace: %s is no directory", g.workspace)
		}
		o.Workspace = &workspace.Policy{Dir: g.workspace, ReadOnly: g.readOnly}
	}
	if g.assets != "" {
		dir, err := assets.OpenDir(g.assets)
		if err != nil {
			return errors.New("--assets: " + strings.TrimPrefix(err.Error(), "assets: "))
		}
		o.Assets = &assets.Policy{Store: dir}
	}
	o.Timers = g.timers
	if len(g.hosts) > 0 {
		o.Fetch = &fetch.Policy{Allow: g.hosts, AllowPrivateNetwork: g.privateNetwork}
		for name, hosts := range g.bound {
			hosts, plain := byScheme(hosts)
			o.Fetch.Secrets = append(o.Fetch.Secrets, fetch.Binding{Name: name, Value: g.secrets[name], Hosts: hosts, AllowHTTP: plain, URL: true, Body: true})
		}
		client, err := fetch.New(o.Fetch)
		if err != nil {
			return errors.New(strings.NewReplacer("fetch: Allow: ", "--allow-net: ", "fetch: Secrets: ", "--secret-host: ").Replace(err.Error()))
		}
		client.Close()
	}
	if g.secrets != nil {
		o.Secrets = &secrets.Policy{Provider: g.secrets}
	}
	if len(g.fonts) > 0 {
		fonts, err := readFonts(g.fonts)
		if err != nil {
			return fmt.Errorf("--font: %w", err)
		}
		o.Grants = append(o.Grants, bridges.Grant{Bridge: mediabridge.Canvas, Value: &mediabridge.CanvasOptions{Fonts: fonts}})
	}
	switch {
	case g.lines == "-":
		o.Input = stream.Lines(g.stream, stoppable(stdin))
	case g.lines != "":
		f, err := os.Open(g.lines)
		if err != nil {
			return fmt.Errorf("--stream: %w", err)
		}
		o.Input = stream.Lines(g.stream, f) // the end of the run closes it
	}
	return nil
}

// readFonts reads font files, of which each is a FILE or FAMILY=FILE.
func readFonts(list []string) ([]mediabridge.CanvasFont, error) {
	var fonts []mediabridge.CanvasFont
	for _, s := range list {
		family, file, named := strings.Cut(s, "=")
		if !named {
			family, file = "", s
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		font := mediabridge.CanvasFont{Data: data, FaceOptions: canvastext.FaceOptions{Family: family}}
		if _, err := canvastext.NewFonts().Register(data, font.FaceOptions); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		fonts = append(fonts, font)
	}
	return fonts, nil
}

// stoppable is a reader whose Close ends a Read that waits, which that of standard input does
// not. Nothing is read before the first Read.
func stoppable(in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	return &stoppableReader{r, sync.OnceFunc(func() {
		go func() {
			_, err := io.Copy(w, in)
			w.CloseWithError(err)
		}()
	})}
}

type stoppableReader struct {
	*io.PipeReader
	start func()
}

func (r *stoppableReader) Read(p []byte) (int, error) {
	r.start()
	return r.PipeReader.Read(p)
}
