package image_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quicksand/media/image/internal/codectest"
)

// golden are the files of testdata/golden whose names begin with prefix.
func golden(t testing.TB, prefix string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/golden/" + prefix + "*")
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string][]byte)
	for _, path := range paths {
		if strings.HasSuffix(path, ".ref.png") {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list[filepath.Base(path)] = data
	}
	if len(list) == 0 {
		t.Fatalf("no files %s", prefix)
	}
	return list
}

// Damaged files do not make a decoder panic, take more memory than it says, go on after its
// context or give a picture of another size.
func TestDamagedFiles(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 200
	}
	for _, prefix := range []string{"png-", "apng-", "gif-", "bmp-", "tiff-", "webp-"} {
		t.Run(strings.TrimSuffix(prefix, "-"), func(t *testing.T) { codectest.DamagedFiles(t, golden(t, prefix), n) })
	}
	t.Run("jpeg", func(t *testing.T) {
		paths, _ := filepath.Glob("jpeg/testdata/*.jpg")
		list := make(map[string][]byte)
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			list[filepath.Base(path)] = data
		}
		codectest.DamagedFiles(t, list, n)
	})
}

func FuzzPNG(f *testing.F)  { codectest.FuzzFiles(f, golden(f, "png-")) }
func FuzzAPNG(f *testing.F) { codectest.FuzzFiles(f, golden(f, "apng-")) }
func FuzzGIF(f *testing.F)  { codectest.FuzzFiles(f, golden(f, "gif-")) }
func FuzzBMP(f *testing.F)  { codectest.FuzzFiles(f, golden(f, "bmp-")) }
func FuzzTIFF(f *testing.F) { codectest.FuzzFiles(f, golden(f, "tiff-")) }
func FuzzWebP(f *testing.F) { codectest.FuzzFiles(f, golden(f, "webp-")) }
