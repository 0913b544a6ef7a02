package secrets

import "quicksand/bridges"

// The limits of a run's secrets. They are fixed.
const (
	maxNames = 1000
	maxName  = 256
	maxValue = 64 << 10
	maxBytes = 1 << 20
)

var (
	namesLimit = fixed("Secrets", "names", maxNames, "different secrets that a run asks for (fixed)")
	nameLimit  = fixed("SecretName", "bytes", maxName, "the name of a secret (fixed)")
	valueLimit = fixed("SecretValue", "bytes", maxValue, "one secret (fixed)")
	bytesLimit = fixed("SecretBytes", "bytes", maxBytes, "all secrets that a run reads (fixed)")
)

func fixed(name, unit string, v int64, doc string) bridges.Limit {
	return bridges.Limit{Name: name, Unit: unit, Default: v, Floor: v, Ceiling: v, Doc: doc}
}
