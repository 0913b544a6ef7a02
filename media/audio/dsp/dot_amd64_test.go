//go:build !purego

package dsp

import "testing"

func TestDotsOfOldProcessorsAddInTheSameOrder(t *testing.T) {
	defer func(had bool) { hasAVX = had }(hasAVX)
	hasAVX = false
	TestDotsAddInTheSameOrder(t)
}
