package npm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"quicksand"
	"quicksand/modules"
)

// probeLimits are what a module may use to initialize.
var probeLimits = quicksand.Limits{Timeout: 5 * time.Second, Memory: 64 << 20, Stack: 1 << 20}

// proberBox makes sandboxes for probes, one for each engine, when the first one is needed.
var proberBox = struct {
	sync.Mutex
	boxes map[string]*quicksand.Sandbox
}{boxes: map[string]*quicksand.Sandbox{}}

func prober(engine string) (*quicksand.Sandbox, error) {
	proberBox.Lock()
	defer proberBox.Unlock()
	if box := proberBox.boxes[engine]; box != nil {
		return box, nil
	}
	// One at a time: probes are rare and may take memory.
	box, err := quicksand.New(quicksand.Config{Engine: engine, Isolates: 1, CacheSize: -1, Logger: slog.New(slog.DiscardHandler)})
	if err == nil {
		proberBox.boxes[engine] = box
	}
	return box, err
}

// probed is the specifier under which a probe has the module.
const probed = "module"

// probe evaluates a module in a sandbox that grants nothing, and lists its exports, sorted.
// names is its export of that name, if it is a list of texts. The error is a skip, unless
// ctx ended or the sandbox could not be made.
func (b *bundler) probe(ctx context.Context, engine string, code []byte) (exports, names []string, err error) {
	box, err := prober(engine)
	if err != nil {
		return nil, nil, fmt.Errorf("npm: the sandbox of the probe: %w", err)
	}
	const program = `import * as all from "` + probed + `";
return { exports: Object.keys(all), names: Array.isArray(all.` + namesExport + `) ? all.` + namesExport + ` : [] };`
	result, err := box.Run(ctx, program, quicksand.Options{
		Name:    "probe",
		Modules: map[string]quicksand.Module{probed: {Code: string(code)}},
		Limits:  probeLimits,
	})
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if errors.Is(err, quicksand.ErrTimeout) {
		b.files.doubt("the probe took too long, which may be the machine's fault")
	}
	if err != nil {
		return nil, nil, skip(modules.CodeProbeFailed, "%s does not initialize in a guest: %s", b.npm, probeFailure(err))
	}
	var p struct{ Exports, Names []string }
	text, err := json.Marshal(result.Value)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return nil, nil, skip(modules.CodeProbeFailed, "%s does not initialize in a guest: its exports are unusual", b.npm)
	}
	slices.Sort(p.Exports)
	return p.Exports, p.Names, nil
}

// probeFailure is the guest's error in one line.
func probeFailure(err error) string {
	if e := (*quicksand.Error)(nil); errors.As(err, &e) {
		return cut(e.Text(), 300)
	}
	return cut(err.Error(), 300)
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// reserved are the words which programs cannot bind, so that they are no names of exports.
var reserved = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(`await break case catch class const continue debugger default delete do else enum export extends
		false finally for function if implements import in instanceof interface let new null package private protected public
		return static super switch this throw true try typeof var void while with yield`) {
		set[word] = true
	}
	return set
}()

// exportable are the names that can be exported, sorted. "__esModule" is how packages say
// that they were translated, and no export of theirs.
func exportable(names []string) []string {
	var list []string
	for _, name := range names {
		if identifier.MatchString(name) && !reserved[name] && name != "__esModule" {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), maxNames)]
}
