//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

import (
	"testing"

	"quicksand/engine/enginetest"
)

func TestSuite(t *testing.T) { enginetest.Run(t, newEngine(t)) }
