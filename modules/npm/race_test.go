//go:build race

package npm

import "time"

// The race detector makes the pure engine ten times slower.
func init() { probeLimits.Timeout = 30 * time.Second }
