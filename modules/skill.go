package modules

// A Skill is the SKILL.md of a package.
type Skill struct {
	Name, Description string
	// Body is the Markdown behind the front matter.
	Body string
	// Sections is the body by its headings of the second level, in lower case.
	Sections map[string]string
	Pack     string
	Version  string
	// Trusted says that the text may count as instructions; see Config.Trust.
	Trusted bool
}
