package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// own are the names of Quicksand's contenders.
func (r *Report) own() []string {
	var names []string
	for _, c := range r.Contenders {
		if c.Own {
			names = append(names, c.Name)
		}
	}
	return names
}

// WriteText writes a table for a terminal: each of Quicksand's engines, and how many times as
// long the best peer takes.
func (r *Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "workload")
	for _, name := range r.own() {
		fmt.Fprintf(t, "\t%s\tp99\tallocs", name)
	}
	fmt.Fprintln(t, "\tbest peer\tmedian\tratio")
	for _, name := range r.workloads() {
		fmt.Fprint(t, name)
		for _, c := range r.own() {
			res := r.Result(name, c)
			switch {
			case res == nil:
				fmt.Fprint(t, "\t\t\t")
			case res.Skipped != "":
				fmt.Fprintf(t, "\tskipped: %.60s\t\t", res.Skipped)
			default:
				fmt.Fprintf(t, "\t%s\t%s\t%.0f", figure(res.Median, res.Unit), figure(res.P99, res.Unit), max(res.Allocs, 0))
			}
		}
		if best := r.Best(name); best != nil {
			fmt.Fprintf(t, "\t%s\t%s\t%s", best.Contender, figure(best.Median, best.Unit), strings.Join(r.ratios(name, best), " / "))
		} else {
			fmt.Fprint(t, "\t\t\t")
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// ratios are how many times as long best takes as each of Quicksand's engines.
func (r *Report) ratios(workload string, best *Result) []string {
	var list []string
	for _, c := range r.own() {
		if res := r.Result(workload, c); res != nil && res.Skipped == "" && res.Median > 0 {
			list = append(list, ratio(best.Median/res.Median))
		} else {
			list = append(list, "–")
		}
	}
	return list
}

// WriteMarkdown writes the whole report: contenders, a table of ratios, and a table of each
// workload.
func (r *Report) WriteMarkdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("# Quicksand, side by side\n\nWritten by `make bench-peers`; `quicksand bench --peers bench/peers` measures again. Libraries for pictures, drawing, sounds and archives have more in bench/peers: IMAGE.md, CANVAS.md, AUDIO.md and ZIP.md.\n")
	p.line("Measured %s in %s on %s, %d processors, %s, %s; load averages %s at the start. %d rounds, in which all contenders take turns of %s at each workload.\n",
		r.Started.Format("2006-01-02"), r.Took, r.Machine.CPU, r.Machine.CPUs, r.Machine.OS, r.Machine.Go, r.Machine.Load, r.Rounds, r.Slice)
	p.line("## Contenders\n\n| | version | a fresh world of it holds |\n|---|---|---|")
	for _, c := range r.Contenders {
		if c.Skipped != "" {
			p.line("| %s | skipped: %s | |", c.Name, cell(c.Skipped))
			continue
		}
		p.line("| %s | %s | %s |", c.Name, cell(c.Version), cell(c.Installs))
	}
	own := r.own()
	p.line("\n## Where we stand\n\nMedians; the ratio is the best peer's median divided by ours, so that more than 1 × means that we are faster.\n")
	head, rule := "| workload |", "|---|"
	for _, c := range own {
		head += " " + c + " |"
		rule += "---:|"
	}
	head += " best peer | |"
	rule += "---|---:|"
	for _, c := range own {
		head += " ratio, " + strings.TrimPrefix(c, "Quicksand ") + " |"
		rule += "---:|"
	}
	p.line("%s\n%s", head, rule)
	var behind []string
	for _, name := range r.workloads() {
		row := "| " + name + " |"
		for _, c := range own {
			row += " " + r.median(name, c) + " |"
		}
		best := r.Best(name)
		if best == nil {
			p.line("%s no peer does it | |%s", row, strings.Repeat(" |", len(own)))
			continue
		}
		row += fmt.Sprintf(" %s | %s |", best.Contender, figure(best.Median, best.Unit))
		for _, v := range r.ratios(name, best) {
			row += " " + v + " |"
		}
		p.line("%s", row)
		for _, c := range own {
			if res := r.Result(name, c); res != nil && res.Skipped == "" && res.Median > best.Median {
				behind = append(behind, name)
				break
			}
		}
	}
	p.line("\n## Where we are behind\n")
	for _, name := range behind {
		why := reasons[name]
		if why == "" {
			why = reasons[Find(name).Group()]
		}
		p.line("- **%s**: the best peer is %s. %s", name, r.Best(name).Contender, why)
	}
	if len(behind) == 0 {
		p.line("Nowhere in this run.")
	}
	p.line("\n## All figures\n")
	for _, name := range r.workloads() {
		r.writeWorkload(p, name)
	}
	return p.err
}

func (r *Report) median(workload, contender string) string {
	res := r.Result(workload, contender)
	switch {
	case res == nil:
		return ""
	case res.Skipped != "":
		return "skipped"
	}
	return figure(res.Median, res.Unit)
}

func (r *Report) writeWorkload(p *printer, name string) {
	p.line("### %s\n\n%s.\n\n| | median | least | p99 | allocations | allocated | peak RSS | n |\n|---|---:|---:|---:|---:|---:|---:|---:|", name, Find(name).Doc)
	var skipped []string
	for _, c := range r.Contenders {
		res := r.Result(name, c.Name)
		if res == nil {
			continue
		}
		if res.Skipped != "" {
			skipped = append(skipped, c.Name+" ("+cell(res.Skipped)+")")
			continue
		}
		allocs, bytes, rss := "", "", ""
		if res.Allocs >= 0 {
			allocs, bytes = digits(res.Allocs), figure(res.AllocBytes, Bytes)
		}
		if res.PeakRSS > 0 {
			rss = figure(float64(res.PeakRSS), Bytes)
		}
		p.line("| %s | %s | %s | %s | %s | %s | %s | %d |", c.Name, figure(res.Median, res.Unit), figure(res.Least, res.Unit), figure(res.P99, res.Unit), allocs, bytes, rss, res.N)
	}
	if len(skipped) > 0 {
		p.line("\nSkipped: %s.", strings.Join(skipped, "; "))
	}
	p.line("")
}

// cell is text for a cell of a table.
func cell(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimSuffix(strings.ReplaceAll(s, "|", "/"), ".")
}

// A printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}
