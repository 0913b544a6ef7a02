// Command audio compares Quicksand's sounds with ffmpeg, sox and flac: ten minutes of stereo
// at 44.1 kHz, taking turns in one run, with what it takes to start a program subtracted. It
// prints tables, and writes them to AUDIO.md and, with all times, to out/audio.json.
//
// Run it in bench/peers:
//
//	go run ./audio
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"quicksand/bench/peers/rounds"
	"quicksand/media/audio"
	"quicksand/media/audio/dsp"
	_ "quicksand/media/audio/flac"
	_ "quicksand/media/audio/mp3"
	_ "quicksand/media/audio/ogg"
)

var command = rounds.NewCommand("audio", 7)

func main() { command.Main(run) }

// The peers, in the order of the tables.
const (
	ours    = "ours"
	oursOne = "ours, 1 thread"
)

// A task is work of ours and the same of other programs.
type task struct {
	name   string
	target float64 // ours ÷ the first other program, in processor time
	input  string  // extension of the file
	// do is ours. It says what came out.
	do func(ctx context.Context, data []byte) (string, error)
	// others are the programs by name: arguments, in which IN is the file.
	others []program
	notes  []string
}

type program struct {
	name string
	args []string
}

// discard takes the samples of a source and says how many there were.
func discard(ctx context.Context, s audio.Source) (string, error) {
	n := 0
	err := s.Blocks(ctx, func(block [][]float32) error { n += len(block[0]); return nil })
	return fmt.Sprintf("%d frames", n), err
}

func decode(ctx context.Context, data []byte) (string, error) {
	s, err := audio.Open(data, nil)
	if err != nil {
		return "", err
	}
	return discard(ctx, s)
}

func encode(f audio.Format, o audio.EncodeOptions) func(ctx context.Context, data []byte) (string, error) {
	return func(ctx context.Context, data []byte) (string, error) {
		s, err := audio.Open(data, nil)
		if err != nil {
			return "", err
		}
		out, err := audio.Encode(ctx, f, s, o, nil)
		return fmt.Sprintf("%d bytes", len(out)), err
	}
}

func resample(q dsp.Quality) func(ctx context.Context, data []byte) (string, error) {
	return func(ctx context.Context, data []byte) (string, error) {
		s, err := audio.Open(data, nil)
		if err != nil {
			return "", err
		}
		c, err := audio.Convert(s, 48000, 2, q)
		if err != nil {
			return "", err
		}
		return discard(ctx, c)
	}
}

func loudness(ctx context.Context, data []byte) (string, error) {
	s, err := audio.Open(data, nil)
	if err != nil {
		return "", err
	}
	l, err := audio.LoudnessOf(ctx, s)
	return fmt.Sprintf("%.1f LUFS, LRA %.1f LU, true peak %.1f dBTP", l.Integrated, l.Range, l.TruePeak), err
}

// ffmpeg has samples as floats in the end, and does nothing with them, unless a codec is
// named.
func ffmpeg(args ...string) program {
	return program{"ffmpeg", append([]string{"ffmpeg", "-v", "info", "-nostats", "-nostdin", "-y", "-i", "IN"}, args...)}
}

var null = []string{"-c:a", "pcm_f32le", "-f", "null", "-"}

var tasks = []task{
	{name: "Decode WAV, 16 bits", target: 1, input: ".wav", do: decode, others: []program{ffmpeg(null...)}},
	{name: "Decode FLAC", target: 1, input: ".flac", do: decode, others: []program{ffmpeg(null...), {"flac", []string{"flac", "-d", "-s", "-c", "IN"}}},
		notes: []string{"Level 5 of ffmpeg's encoder. flac writes integers to its standard output, and checks the MD5 sum, as ours does."}},
	{name: "Decode MP3", target: 3, input: ".mp3", do: decode, others: []program{ffmpeg(null...)}, notes: []string{"192 kbit/s, of LAME."}},
	{name: "Decode Ogg Vorbis", target: 1.5, input: ".ogg", do: decode, others: []program{ffmpeg(null...)}, notes: []string{"Quality 5, of libvorbis."}},
	{name: "Decode Ogg Opus", target: 1, input: ".opus", do: decode, others: []program{
		{"ffmpeg", append([]string{"ffmpeg", "-v", "info", "-nostats", "-nostdin", "-y", "-c:a", "libopus", "-i", "IN"}, null...)},
		{"ffmpeg, its own decoder", append([]string{"ffmpeg", "-v", "info", "-nostats", "-nostdin", "-y", "-c:a", "opus", "-i", "IN"}, null...)},
	}, notes: []string{"128 kbit/s, of libopus, which is also what the first row of ffmpeg decodes with."}},
	{name: "Encode FLAC, level 5", target: 1, input: ".wav", do: encode(audio.FLAC, audio.EncodeOptions{}), others: []program{
		{"flac", []string{"flac", "-5", "-s", "-f", "-o", "OUT", "IN"}},
		ffmpeg("-c:a", "flac", "-compression_level", "5", "-f", "flac", "OUT")}},
	{name: "Encode Ogg Opus, 128 kbit/s", input: ".wav", do: encode(audio.Opus, audio.EncodeOptions{BitRate: 128_000}), others: []program{ffmpeg("-c:a", "libopus", "-b:a", "128k", "-f", "opus", "OUT")},
		notes: []string{"With resampling to 48 kHz."}},
	{name: "Resample 44.1 to 48 kHz, high quality", target: 1, input: ".f32.wav", do: resample(dsp.High), others: []program{
		{"ffmpeg, soxr at 28 bits", ffmpeg(append([]string{"-af", "aresample=48000:resampler=soxr:precision=28"}, null...)...).args},
		{"ffmpeg, swr of 32 taps", ffmpeg(append([]string{"-af", "aresample=48000"}, null...)...).args},
		{"sox, rate -v", []string{"sox", "IN", "-t", "f32", "OUT", "rate", "-v", "48000"}},
	}, notes: []string{"Of floats. Ours has a signal-to-noise ratio of 120 dB and more up to 18 kHz; soxr at 28 bits about 170 dB in doubles; swr by default far less near its cutoff."}},
	{name: "Resample 44.1 to 48 kHz, fast", input: ".f32.wav", do: resample(dsp.Fast), others: []program{
		{"ffmpeg, swr of 32 taps", ffmpeg(append([]string{"-af", "aresample=48000"}, null...)...).args},
		{"ffmpeg, soxr at 20 bits", ffmpeg(append([]string{"-af", "aresample=48000:resampler=soxr:precision=20"}, null...)...).args},
	}},
	{name: "Loudness and true peak", target: 1, input: ".wav", do: loudness, others: []program{
		{"ffmpeg, ebur128", []string{"ffmpeg", "-v", "info", "-nostats", "-nostdin", "-y", "-i", "IN", "-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"}}}},
}

// A bench holds what tasks share.
type bench struct {
	dir     string
	missing map[string]string // why a program does not take part
	report  rounds.Report
	// cpu is processor time in milliseconds of each run, by task and peer. Other than the wall
	// clock it hardly depends on what else the machine does.
	cpu map[[2]string][]float64
	// start is that of the short file.
	start map[[2]string][]float64
}

func run(dir string) error {
	b := &bench{dir: dir, missing: map[string]string{}, cpu: map[[2]string][]float64{}, start: map[[2]string][]float64{},
		report: rounds.NewReport()}
	for name, arg := range map[string]string{"ffmpeg": "-version", "flac": "--version", "sox": "--version"} {
		out, err := exec.Command(name, arg).Output()
		if err != nil {
			b.missing[name] = name + " is not installed"
			continue
		}
		line, _, _ := strings.Cut(string(out), "\n")
		line, _, _ = strings.Cut(line, " Copyright")
		b.report.Versions[name] = strings.TrimPrefix(strings.Join(strings.Fields(line), " "), "sox: ")
	}
	if err := files(dir, b.missing["ffmpeg"] == ""); err != nil {
		return err
	}
	for _, t := range tasks {
		if !command.Wants(t.name) {
			continue
		}
		m := b.task(t)
		table := command.Measure(m)
		b.subtract(&table)
		b.report.Tables = append(b.report.Tables, table)
	}
	return command.Finish(&b.report, b.markdown)
}

// task is t with its peers.
func (b *bench) task(t task) rounds.Task {
	r := rounds.Task{Name: t.name, Rounds: command.Rounds, Notes: t.notes}
	data, err := os.ReadFile(filepath.Join(b.dir, "long"+t.input))
	skip := ""
	if err != nil {
		skip = "there is no file: " + b.missing["ffmpeg"]
	}
	all := runtime.GOMAXPROCS(0)
	for _, p := range []struct {
		name    string
		threads int
	}{{ours, all}, {oursOne, 1}} {
		var said string
		r.Peers = append(r.Peers, rounds.Peer{Name: p.name, Skip: skip,
			Run: func() (err error) {
				runtime.GOMAXPROCS(p.threads)
				defer runtime.GOMAXPROCS(all)
				before := rounds.ProcessorTime()
				said, err = t.do(context.Background(), data)
				b.cpu[[2]string{t.name, p.name}] = append(b.cpu[[2]string{t.name, p.name}], rounds.ProcessorTime()-before)
				return err
			},
			Describe: func() (string, error) { return said, nil }})
	}
	for _, p := range t.others {
		peer := rounds.Peer{Name: p.name, Skip: skip}
		if why := b.missing[p.args[0]]; why != "" {
			peer.Skip = why
		}
		key := [2]string{t.name, p.name}
		var said string
		// What starting takes is measured before each run, with a file of 50 ms.
		peer.Before = func() error {
			wall, _, _, err := b.call(p, "short"+t.input)
			b.start[key] = append(b.start[key], wall.wall)
			b.cpu[[2]string{t.name, p.name + start}] = append(b.cpu[[2]string{t.name, p.name + start}], wall.cpu)
			return err
		}
		peer.Run = func() error {
			took, out, size, err := b.call(p, "long"+t.input)
			b.cpu[key] = append(b.cpu[key], took.cpu)
			said = describe(out, size)
			return err
		}
		peer.Describe = func() (string, error) { return said, nil }
		r.Peers = append(r.Peers, peer)
	}
	return r
}

// start marks figures of the short file.
const start = " (start)"

// describe is what of a program's output matters: the size of its file, or loudness.
func describe(out []byte, size int64) string {
	if size > 0 {
		return fmt.Sprintf("%d bytes", size)
	}
	text := string(out)
	if i := strings.LastIndex(text, "Summary:"); i >= 0 {
		value := func(name string) string {
			_, rest, _ := strings.Cut(text[i:], name)
			return strings.Join(strings.Fields(rest)[:2], " ")
		}
		return fmt.Sprintf("%s, LRA %s, true peak %s", value(" I: "), value(" LRA: "), value(" Peak: "))
	}
	return ""
}

// A cost is what a program took, in milliseconds.
type cost struct{ wall, cpu float64 }

// call runs a program with a file.
func (b *bench) call(p program, file string) (c cost, out []byte, size int64, err error) {
	result := filepath.Join(b.dir, "result")
	args := slices.Clone(p.args[1:])
	for i, a := range args {
		switch a {
		case "IN":
			args[i] = filepath.Join(b.dir, file)
		case "OUT":
			args[i] = result
		}
	}
	cmd := exec.Command(p.args[0], args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	before := now()
	err = cmd.Run()
	c.wall = now() - before
	if err != nil {
		return c, nil, 0, fmt.Errorf("%w: %s", err, lastLine(errs.String()))
	}
	if s := cmd.ProcessState; s != nil {
		c.cpu = float64((s.UserTime() + s.SystemTime()).Microseconds()) / 1000
	}
	if info, err := os.Stat(result); err == nil {
		size = info.Size()
		os.Remove(result)
	}
	return c, errs.Bytes(), size, nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// subtract takes what starting takes from the times of other programs.
func (b *bench) subtract(t *rounds.Table) {
	for i := range t.Results {
		r := &t.Results[i]
		s := b.start[[2]string{t.Task, r.Peer}]
		if r.Skipped != "" || len(s) == 0 {
			continue
		}
		took := median(s)
		for k := range r.All {
			r.All[k] = max(r.All[k]-took, 0)
		}
		r.Median, r.Min = median(r.All), slices.Min(r.All)
		r.Ratio = r.Median / t.Results[0].Median
		r.Output = strings.TrimPrefix(r.Output+fmt.Sprintf(", start %.0f ms", took), ", ")
	}
}

// processor is the processor time of a peer in the median, without that of starting.
func (b *bench) processor(task, peer string) float64 {
	all := b.cpu[[2]string{task, peer}]
	if len(all) < 2 {
		return 0
	}
	ms := median(all[1:]) // the first one warms up
	if s := b.cpu[[2]string{task, peer + start}]; len(s) > 0 {
		ms -= median(s)
	}
	return ms
}

func median(all []float64) float64 {
	s := slices.Sorted(slices.Values(all))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

func (b *bench) markdown(w io.Writer) {
	m := b.report.Machine
	fmt.Fprintf(w, "# Sounds, side by side\n\nWritten by `make bench-peers`. One run; peers take turns in each round. All work on ten minutes of stereo at 44.1 kHz; ours in Go, from a file in memory to blocks of floats or to a file in memory. Of other programs the time for a file of 50 ms is subtracted, in the median: what it takes to start them.\n\n")
	fmt.Fprintf(w, "Machine: %s, %d processors, %s, %s; load %s at the start.\n", m.CPU, m.CPUs, m.OS, m.Go, m.Load)
	var versions []string
	for _, version := range b.report.Versions {
		versions = append(versions, version)
	}
	slices.Sort(versions)
	fmt.Fprintf(w, "Peers: %s.\n\n", strings.Join(versions, "; "))
	b.targets(w)
	for _, t := range b.report.Tables {
		t.Markdown(w)
	}
}

// targets prints processor times, and the ratios that matter.
func (b *bench) targets(w io.Writer) {
	fmt.Fprintf(w, "## Processor time\n\nMilliseconds, medians, of all threads together. The ratio is of one thread of ours to the program, and is what targets are about: it hardly depends on what else the machine does.\n\n| | ours, 1 thread | program | its time | ours ÷ it | target |\n|---|---:|---|---:|---:|---|\n")
	for _, t := range tasks {
		mine := b.processor(t.name, oursOne)
		for i, p := range t.others {
			its := b.processor(t.name, p.name)
			if mine <= 0 || its <= 0 {
				continue
			}
			target := ""
			if i == 0 && t.target > 0 {
				target = fmt.Sprintf("≤ %g", t.target)
			}
			fmt.Fprintf(w, "| %s | %.0f | %s | %.0f | %.2f | %s |\n", t.name, mine, p.name, its, mine/its, target)
		}
	}
	fmt.Fprintln(w)
}

var began = time.Now()

// now is the time since the program began, in milliseconds.
func now() float64 { return float64(time.Since(began).Microseconds()) / 1000 }
