package bench

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"quicksand"
	_ "quicksand/bridges/mediabridge" // charts are drawn by the sandbox's own canvas
)

//go:embed chart.js
var chart string

// A Chart is a picture of one group of workloads.
type Chart struct {
	Group string
	SVG   string
}

// Charts draws a chart of each group of workloads, with the canvas of a sandbox.
func (r *Report) Charts(ctx context.Context) ([]Chart, error) {
	box, err := quicksand.New(quicksand.Config{Isolates: 1})
	if err != nil {
		return nil, err
	}
	defer box.Close()
	type value struct {
		Contender string  `json:"contender"`
		Value     float64 `json:"value"`
	}
	type row struct {
		Name   string  `json:"name"`
		Values []value `json:"values"`
	}
	type input struct {
		Title      string `json:"title"`
		Unit       string `json:"unit"`
		Rows       []row  `json:"rows"`
		Contenders []Info `json:"contenders"`
	}
	var charts []Chart
	groups := make(map[string]*input)
	var order []string
	for _, name := range r.workloads() {
		w := Find(name)
		if w == nil {
			continue
		}
		in := groups[w.Group()]
		if in == nil {
			in = &input{Title: w.Group() + ": medians, less is better", Unit: w.unit()}
			groups[w.Group()] = in
			order = append(order, w.Group())
		}
		_, short, _ := strings.Cut(name, "/")
		rw := row{Name: short}
		for _, c := range r.Contenders {
			if res := r.Result(name, c.Name); res != nil && res.Skipped == "" {
				rw.Values = append(rw.Values, value{c.Name, res.Median})
			}
		}
		if len(rw.Values) > 0 {
			in.Rows = append(in.Rows, rw)
		}
	}
	for _, g := range order {
		in := groups[g]
		if len(in.Rows) == 0 {
			continue
		}
		for _, c := range r.Contenders {
			if slices.ContainsFunc(in.Rows, func(rw row) bool {
				return slices.ContainsFunc(rw.Values, func(v value) bool { return v.Contender == c.Name })
			}) {
				in.Contenders = append(in.Contenders, c)
			}
		}
		b, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		var inputs map[string]any
		if err := json.Unmarshal(b, &inputs); err != nil {
			return nil, err
		}
		res, err := box.Run(ctx, chart, quicksand.Options{Name: "chart.js", Inputs: inputs})
		if err != nil {
			return nil, fmt.Errorf("chart of %s: %w", g, err)
		}
		svg, ok := res.Value.Str()
		if !ok {
			return nil, fmt.Errorf("chart of %s: it is no text", g)
		}
		charts = append(charts, Chart{g, svg})
	}
	return charts, nil
}

// WriteHTML writes a page with the charts and the tables, which needs nothing else.
func (r *Report) WriteHTML(ctx context.Context, w io.Writer) error {
	charts, err := r.Charts(ctx)
	if err != nil {
		return err
	}
	type line struct {
		Workload, Doc string
		Own           []string
		Best, Median  string
		Ratios        []string
	}
	page := struct {
		*Report
		OwnNames []string
		Lines    []line
		Charts   []template.URL
	}{Report: r, OwnNames: r.own()}
	for _, name := range r.workloads() {
		l := line{Workload: name}
		if w := Find(name); w != nil {
			l.Doc = w.Doc
		}
		for _, c := range page.OwnNames {
			l.Own = append(l.Own, r.median(name, c))
		}
		if best := r.Best(name); best != nil {
			l.Best, l.Median, l.Ratios = best.Contender, figure(best.Median, best.Unit), r.ratios(name, best)
		} else {
			l.Ratios = make([]string, len(page.OwnNames))
		}
		page.Lines = append(page.Lines, l)
	}
	for _, c := range charts {
		// As pictures of their own, since the names of glyphs within them are the same.
		page.Charts = append(page.Charts, template.URL("data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte(c.SVG))))
	}
	return htmlPage.Execute(w, page)
}

var htmlPage = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Quicksand, side by side</title>
<style>body{font:15px/1.5 sans-serif;max-width:960px;margin:2em auto;padding:0 1em;color:#222}table{border-collapse:collapse;margin:1em 0;font-size:13px}td,th{padding:3px 9px;border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}img{max-width:100%;height:auto;margin:1em 0}</style>
<h1>Quicksand, side by side</h1>
<p>{{.Started.Format "2006-01-02"}}, {{.Machine.CPU}}, {{.Machine.CPUs}} processors, {{.Machine.OS}}, {{.Machine.Go}}; {{.Rounds}} rounds of {{.Slice}}, taking turns.</p>
<table><tr><th>contender<th>version<th>a fresh world holds</tr>{{range .Contenders}}<tr><td>{{.Name}}<td>{{if .Skipped}}skipped: {{.Skipped}}{{else}}{{.Version}}{{end}}<td>{{.Installs}}</tr>{{end}}</table>
{{range .Charts}}<img alt="chart" src="{{.}}">{{end}}
<table><tr><th>workload{{range .OwnNames}}<th>{{.}}{{end}}<th>best peer<th>median{{range .OwnNames}}<th>ratio{{end}}</tr>
{{range .Lines}}<tr><td title="{{.Doc}}">{{.Workload}}{{range .Own}}<td>{{.}}{{end}}<td>{{.Best}}<td>{{.Median}}{{range .Ratios}}<td>{{.}}{{end}}</tr>
{{end}}</table></html>
`))
