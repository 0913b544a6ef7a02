package flac

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata anew with flac and ffmpeg; see testdata/README.md")

// goldenFrames is the length of the signals in testdata's files, and sizeFrames that of those
// whose sizes are compared.
const goldenFrames, sizeFrames = 5000, 2 * 44100

// A variant is a way to have a signal encoded by another program, which reads raw samples.
type variant struct {
	name    string
	program string
	args    []string
}

var variants = []variant{
	{"reference-8", "flac", []string{"-8"}},
	{"ffmpeg-12", "ffmpeg", []string{"-compression_level", "12"}},
	{"order-32", "flac", []string{"--lax", "-l", "32", "-b", "4608", "-q", "15", "-r", "0,15"}},
	{"blocks-of-16", "flac", []string{"-l", "5", "-b", "16", "-r", "0", "--lax"}},
	{"blocks-of-1000", "flac", []string{"--lax", "-b", "1000", "-e", "-p", "-r", "3"}},
	{"fixed", "flac", []string{"-l", "0", "-b", "576"}},
	{"large-blocks", "ffmpeg", []string{"-frame_size", "65535", "-lpc_coeff_precision", "15"}},
}

// variantsOf are those of a signal: two that all have, and others in turn.
func variantsOf(i int, s signal) (list []variant) {
	if s.depth%8 != 0 {
		return nil // which neither program reads raw
	}
	for k, v := range variants {
		if v.program == "ffmpeg" && s.depth != 16 && s.depth != 24 {
			continue // which this version of it does not write
		}
		if k < 2 || k == 2+i%(len(variants)-2) {
			list = append(list, v)
		}
	}
	return list
}

func slug(s string) string { return strings.NewReplacer(" ", "-", ".", "-").Replace(s) }

// sampleSum is the sum of samples as both programs give them with 32 bits.
func sampleSum(planes [][]int32, depth int) string {
	h := sha256.New()
	var b []byte
	for i := range planes[0] {
		b = b[:0]
		for _, p := range planes {
			b = binary.LittleEndian.AppendUint32(b, uint32(p[i])<<(32-depth))
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func fileSum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// run calls another program.
func run(t *testing.T, in []byte, name string, args ...string) []byte {
	t.Helper()
	c := exec.Command(name, args...)
	c.Stdin = bytes.NewReader(in)
	var message bytes.Buffer
	c.Stderr = &message
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, message.String())
	}
	return out
}

// encodeElsewhere has a signal encoded by another program.
func encodeElsewhere(t *testing.T, s signal, planes [][]int32, v variant) []byte {
	t.Helper()
	raw := packSamples(nil, planes, s.depth)
	if v.program == "flac" {
		return run(t, raw, "flac", append([]string{
			"-s", "-c", "--no-padding", "--no-seektable", "--force-raw-format", "--endian=little", "--sign=signed",
			fmt.Sprint("--sample-rate=", s.rate), fmt.Sprint("--channels=", s.channels), fmt.Sprint("--bps=", s.depth), "-",
		}, v.args...)...)
	}
	// A file that can be sought, so that the program completes its header.
	path := filepath.Join(t.TempDir(), "out.flac")
	args := []string{"-v", "error", "-f", fmt.Sprintf("s%dle", s.depth), "-ar", fmt.Sprint(s.rate), "-ac", fmt.Sprint(s.channels), "-i", "-", "-c:a", "flac", "-bitexact"}
	run(t, raw, "ffmpeg", append(append(args, v.args...), path)...)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// decodeElsewhere is the sum of what another program decodes, and that program.
func decodeElsewhere(t *testing.T, file []byte, depth int) (sum, program string) {
	t.Helper()
	if depth == 32 {
		return fileSum(run(t, file, "flac", "-s", "-d", "-c", "--force-raw-format", "--endian=little", "--sign=signed", "-")), "flac"
	}
	return fileSum(run(t, file, "ffmpeg", "-v", "error", "-f", "flac", "-i", "-", "-f", "s32le", "-")), "ffmpeg"
}

// table reads tab-separated rows, without comments.
func table(t *testing.T, name string, columns int) (rows [][]string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		if line := scan.Text(); !strings.HasPrefix(line, "#") {
			row := strings.Split(line, "\t")
			if len(row) != columns {
				t.Fatalf("%s: a row of %d columns: %s", name, len(row), line)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// TestGoldenDecode reads files of other encoders, and compares with what other decoders made
// of them.
func TestGoldenDecode(t *testing.T) {
	if *update {
		updateDecoded(t)
	}
	rows := table(t, "decoded.tsv", 3)
	if len(rows) < 50 {
		t.Errorf("there are only %d files", len(rows))
	}
	for _, row := range rows {
		t.Run(row[0], func(t *testing.T) {
			file, err := os.ReadFile(filepath.Join("testdata", row[0]))
			if err != nil {
				t.Fatal(err)
			}
			info, planes, err := decodeAll(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := sampleSum(planes, info.Depth); got != row[2] {
				t.Errorf("the samples' sum is %s, that of %s is %s", got, row[1], row[2])
			}
			if info.Depth == 32 {
				return
			}
			theirs, err := oracle(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(planes, theirs); d != "" {
				t.Error(d)
			}
		})
	}
}

func updateDecoded(t *testing.T) {
	old, err := filepath.Glob("testdata/*.flac")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	b.WriteString("# file\tdecoded by\tSHA-256 of the samples, with 32 bits\n")
	for i, s := range signals {
		planes := s.samples(goldenFrames)
		for _, v := range variantsOf(i, s) {
			file := encodeElsewhere(t, s, planes, v)
			name := slug(s.name) + "." + v.name + ".flac"
			if err := os.WriteFile(filepath.Join("testdata", name), file, 0o644); err != nil {
				t.Fatal(err)
			}
			sum, program := decodeElsewhere(t, file, s.depth)
			fmt.Fprintf(&b, "%s\t%s\t%s\n", name, program, sum)
		}
	}
	if err := os.WriteFile("testdata/decoded.tsv", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestGoldenEncode checks that what is written is what other decoders were seen to read back,
// and how large it is.
func TestGoldenEncode(t *testing.T) {
	if *update {
		updateEncoded(t)
	}
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	rows := table(t, "encoded.tsv", 6)
	if len(rows) != len(signals) {
		t.Fatalf("there are %d rows for %d signals", len(rows), len(signals))
	}
	for i, row := range rows {
		s := signals[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			planes := s.samples(sizeFrames)
			if got := sampleSum(planes, s.depth); got != row[1] {
				t.Skip("this machine's sines are not those of the table")
			}
			file := encodeAll(t, s.info(sizeFrames), planes, Options{})
			// Elsewhere, sums of products may be rounded in another way.
			if got := fileSum(file); got != row[2] && runtime.GOARCH == "amd64" {
				t.Errorf("the file's sum is %s, want %s", got, row[2])
			}
			for k, other := range []string{"flac -5", "ffmpeg -compression_level 5"} {
				size, err := strconv.Atoi(row[4+k])
				if row[4+k] == "-" {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if len(file)*100 > size*105 {
					t.Errorf("the file has %d bytes, more than 5 %% above the %d of %s", len(file), size, other)
				}
			}
		})
	}
}

func updateEncoded(t *testing.T) {
	var b strings.Builder
	b.WriteString("# signal\tSHA-256 of its samples, with 32 bits\tSHA-256 of our file, which other decoders read back\tbytes\tflac -5\tffmpeg -compression_level 5\n")
	for _, s := range signals {
		planes := s.samples(sizeFrames)
		file := encodeAll(t, s.info(sizeFrames), planes, Options{})
		want := sampleSum(planes, s.depth)
		if sum, program := decodeElsewhere(t, file, s.depth); sum != want {
			t.Errorf("%s: %s reads something else", s.name, program)
		}
		run(t, file, "flac", "-s", "-t", "-")
		sizes := [2]string{"-", "-"}
		if s.depth%8 == 0 {
			sizes[0] = fmt.Sprint(len(encodeElsewhere(t, s, planes, variant{"", "flac", []string{"-5"}})))
		}
		if s.depth == 16 || s.depth == 24 {
			sizes[1] = fmt.Sprint(len(encodeElsewhere(t, s, planes, variant{"", "ffmpeg", []string{"-compression_level", "5"}})))
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%d\t%s\t%s\n", s.name, want, fileSum(file), len(file), sizes[0], sizes[1])
	}
	if err := os.WriteFile("testdata/encoded.tsv", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
