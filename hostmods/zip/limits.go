package zip

// Limits bound what reading an archive may take. Zero fields mean the defaults.
type Limits struct {
	// Total is how many bytes may come out of one Archive, Entry how many of one of its
	// entries. The defaults are 50 MiB, and Total.
	Total, Entry int64
	// Ratio is how many times larger than its compressed form an entry may be, if it is
	// larger than 1 MiB. The default is 1 100, which is a little more than Deflate can do.
	Ratio int64
	// Entries is how many entries an archive may have. The default is 10 000.
	Entries int64
}

// Defaults of Limits.
const (
	DefaultTotal   = 50 << 20
	DefaultRatio   = 1100
	DefaultEntries = 10_000
)

// Names of limits, as in LIMITS.md.
const (
	limitTotal     = "ZipTotalSize"
	limitEntry     = "ZipEntrySize"
	limitRatio     = "ZipRatio"
	limitEntries   = "ZipEntries"
	limitName      = "ZipNameLength"
	limitDirectory = "ZipDirectorySize"
	limitInput     = "ZipInputSize"
)

const (
	ratioFrom    = 1 << 20 // bytes of an entry from which Ratio counts
	maxName      = 4096    // bytes of a path
	maxDirectory = 8 << 20 // bytes of a central directory
)

func (l Limits) complete() Limits {
	if l.Total <= 0 {
		l.Total = DefaultTotal
	}
	if l.Entry <= 0 || l.Entry > l.Total {
		l.Entry = l.Total
	}
	if l.Ratio <= 0 {
		l.Ratio = DefaultRatio
	}
	if l.Entries <= 0 {
		l.Entries = DefaultEntries
	}
	return l
}
