package modules

// A Config says what a catalog holds. Its zero value holds what the program ships.
type Config struct {
	// Dirs are searched for packages, in order: each is a package itself, a project with a
	// node_modules folder, or a folder of packages and scopes. What a program ships comes
	// last, and an installed package takes the place of a shipped one.
	Dirs []string
	// Compiled knows compiled npm dependencies. Nil means DefaultCache().
	Compiled Compiled
	// Trust are the packages whose documentation counts as instructions, "*" for all. No
	// other thing depends on it. Empty trusts none but what the program ships.
	Trust []string
	// Prefer settles which of several packages of one name counts: its directory by name.
	// Without it none of them does.
	Prefer map[string]string
	// Bare leaves out what the program ships.
	Bare bool
}

// A Catalog is what was found: packages, their modules, and what is wrong with others. It is
// immutable and safe for concurrent use.
type Catalog struct {
	modules map[string]*Module
}

// Open is Config.Open with directories alone.
func Open(dirs ...string) (*Catalog, error) { return Config{Dirs: dirs}.Open() }

// Open finds packages. No code of theirs runs. The error is about directories that cannot be
// read; a package which breaks a rule is a diagnostic.
func (c Config) Open() (*Catalog, error) { return &Catalog{}, nil }

// A Summary is one module in a list.
type Summary struct {
	Specifier   string `json:"specifier"`
	Pack        string `json:"packName"`
	Version     string `json:"packVersion,omitempty"`
	Kind        Kind   `json:"kind"`
	Description string `json:"description,omitempty"`
	Digest      string `json:"contentDigest"`
	// Available is false for a module that was skipped; the diagnostics say why.
	Available bool `json:"available"`
}

// Summaries are all modules, by specifier.
func (c *Catalog) Summaries() []Summary { return nil }

// Diagnostics are the statuses of discovery, in the order of search.
func (c *Catalog) Diagnostics() []Status { return nil }

// Skill is the documentation of a package, or nil.
func (c *Catalog) Skill(pack string) *Skill { return nil }

// A Declaration names a module, and perhaps what it was when the declaration was made.
type Declaration struct {
	Specifier string `json:"specifier"`
	Version   string `json:"resolvedPackVersion,omitempty"`
	Digest    string `json:"contentDigest,omitempty"`
}

// A Resolution is what declarations mean in a catalog.
type Resolution struct {
	Modules  []*Module
	Statuses []Status
}

// Resolve finds the modules of declarations. What cannot be found is an error among the
// statuses; another version or content than declared is a warning.
func (c *Catalog) Resolve(decls []Declaration) Resolution { return Resolution{} }

// Set is the resolution as what a run may import. Its warnings go to the logs of runs.
func (r Resolution) Set() *Set { return nil }

// Set is the part of the catalog that allow consents to: a specifier stands for itself and
// for everything below it. No argument means everything; a nil *Set is nothing.
func (c *Catalog) Set(allow ...string) *Set { return &Set{modules: c.modules} }
