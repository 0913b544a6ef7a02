package workspace

import "quicksand/bridges"

// Limits that a Policy sets, and, below, fixed ones.
var (
	limitBytes = bridges.Limit{Name: "WorkspaceBytes", Unit: "bytes", Default: 256 << 20, Floor: 1, Ceiling: 1 << 40,
		Doc: "All files of the workspace together; one in memory that the host does not keep is bounded by Memory too. The call that would exceed it throws and changes nothing"}
	limitFiles = bridges.Limit{Name: "WorkspaceFiles", Unit: "files", Default: 20_000, Floor: 1, Ceiling: 10_000_000,
		Doc: "Files and directories of the workspace together. The call that would exceed it throws"}
	limitFileSize = bridges.Limit{Name: "WorkspaceFileSize", Unit: "bytes", Default: 256 << 20, Floor: 1, Ceiling: 1 << 40,
		Doc: "One file that is written, appended to or copied. The call throws and leaves the file as it was"}
	limitReadSize = bridges.Limit{Name: "WorkspaceReadSize", Unit: "bytes", Default: 64 << 20, Floor: 1, Ceiling: 512 << 20,
		Doc: "What one read returns, and never more than Memory. A read of more throws before it takes memory; ranges read larger files in parts"}
	limitEntries = bridges.Limit{Name: "WorkspaceEntries", Unit: "entries", Default: 20_000, Floor: 1, Ceiling: 1_000_000,
		Doc: "Directory entries that one call of list, glob, copy, move or remove looks at. The call throws"}

	limitPathLength    = fixed("WorkspacePathLength", "bytes", 4096, "A path or pattern, in UTF-8. The call throws")
	limitNameLength    = fixed("WorkspaceNameLength", "bytes", 255, "One name within a path, in UTF-8. The call throws")
	limitPathDepth     = fixed("WorkspacePathDepth", "names", 64, "Names in a path or pattern, and how deep the calls that walk through directories go. The call throws")
	limitPatternStates = fixed("WorkspacePatternStates", "states", 1024, "The size of a glob pattern, about its characters. The call throws")
)

func fixed(name, unit string, value int64, doc string) bridges.Limit {
	return bridges.Limit{Name: name, Unit: unit, Default: value, Floor: value, Ceiling: value, Doc: doc}
}

var limits = []bridges.Limit{limitBytes, limitFiles, limitFileSize, limitReadSize, limitEntries,
	limitPathLength, limitNameLength, limitPathDepth, limitPatternStates}

// over is the error of op for a limit of value, of which used would be needed.
func over(op string, l *bridges.Limit, value, used int64, format string, args ...any) error {
	return bridges.Limitf(op, l.Name, value, used, format, args...)
}
