package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"quicksand/hostmods/zip"
)

// texts are files with size bytes of text in all. Their words are made up, and come as often
// as those of a language do; every file has a mark of its own.
func texts(size, files int) []zip.File {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 20_000)
	for i := range words {
		var w []byte
		for range 1 + r.IntN(2) + r.IntN(3) {
			w = append(w, "bcdfghklmnprstvwz"[r.IntN(17)], "aaeeeiioou"[r.IntN(10)])
			if r.IntN(3) == 0 {
				w = append(w, "nrslt"[r.IntN(5)])
			}
		}
		words[i] = string(w)
	}
	often := rand.NewZipf(r, 1.1, 2.7, uint64(len(words)-1))
	list := make([]zip.File, files)
	for i := range list {
		n := size / files
		if i == 0 {
			n += size % files
		}
		b := append(make([]byte, 0, n+64), fmt.Sprintf("file %d\n\n", i)...)
		for start := true; len(b) < n; {
			w := words[often.Uint64()]
			if start {
				b = append(append(b, w[0]-'a'+'A'), w[1:]...)
			} else {
				b = append(b, w...)
			}
			switch k := r.IntN(60); {
			case k < 4:
				b, start = append(b, ". "...), true
			case k < 5:
				b, start = append(b, ".\n\n"...), true
			case k < 9:
				b, start = append(b, ", "...), false
			default:
				b, start = append(b, ' '), false
			}
		}
		list[i] = zip.File{Name: fmt.Sprintf("texts/%03d.txt", i), Data: bytes.Clone(b[:n])}
	}
	return list
}
