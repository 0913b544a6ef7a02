package modules

import "fmt"

// A Status says what became of a package or module, for people who look after packages.
type Status struct {
	Level Level `json:"status"`
	Code  Code  `json:"code"`
	// Pack is the package that it is about; Specifier the module, or empty.
	Pack      string `json:"pack,omitempty"`
	Specifier string `json:"specifier,omitempty"`
	// Message is one line. Those of a catalog may name directories of the host, those of a
	// resolution never do.
	Message string `json:"message"`
}

// String is the status in one line.
func (s Status) String() string {
	about := s.Specifier
	if about == "" {
		about = s.Pack
	}
	if about == "" {
		return fmt.Sprintf("%s %s: %s", s.Level, s.Code, s.Message)
	}
	return fmt.Sprintf("%s %s: %s: %s", s.Level, s.Code, about, s.Message)
}

// Level is how bad a status is.
type Level string

// The levels of a status.
const (
	LevelReady   Level = "ready"
	LevelWarning Level = "warning"
	LevelSkipped Level = "skipped" // the module is not available; its package is
	LevelError   Level = "error"
)

// Code is what a status is about.
type Code string

// The codes of statuses.
const (
	CodePending         Code = "pending-compile"             // an npm dependency was never compiled here, or its files changed
	CodeBuiltinImport   Code = "npm-module-builtin-import"   // the bundle imports a builtin of Node.js
	CodeUnresolved      Code = "npm-module-unresolved"       // a dependency was not found
	CodeBundleFailed    Code = "npm-module-bundle-failed"    // any other failure to bundle
	CodeTooLarge        Code = "npm-module-too-large"        // the bundle is larger than MaxBundle
	CodeScanRejected    Code = "npm-module-scan-rejected"    // no valid module, dynamic import, or not self-contained
	CodeForbiddenGlobal Code = "npm-module-forbidden-global" // it needs a global that guests do not have
	CodeProbeFailed     Code = "npm-module-probe-failed"     // it did not initialize in a bare guest
	CodeNPMWarning      Code = "npm-module-warning"          // it looks for a global that guests do not have
	CodeCompiled        Code = "npm-module-compiled"         // an npm dependency is available
	CodeSkillMissing    Code = "skill-missing"               // there is no SKILL.md
	CodeSkillInvalid    Code = "skill-invalid"               // SKILL.md cannot be used
	CodeDiscovery       Code = "discovery-failed"            // the package breaks a rule
	CodeDuplicate       Code = "duplicate-pack"              // two search roots have a package of one name
	CodeNotBuilt        Code = "pack-not-built"              // a shipped package without its code
	CodeDependency      Code = "module-dependency-missing"   // it imports a module that is not installed
	CodeUnsupported     Code = "module-kind-unsupported"     // this program cannot serve modules of the kind
	CodeNotFound        Code = "module-not-found"            // nothing of the name is installed
	CodeUnavailable     Code = "module-unavailable"          // it is installed, but was skipped
	CodeVersion         Code = "version-mismatch"            // another version than the declaration's
	CodeDigest          Code = "content-digest-mismatch"     // other content than the declaration's
)
