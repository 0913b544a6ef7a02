package text

import (
	"strings"

	bundle "quicksand/canvas/fonts"
)

// stack is the order in which faces are tried for a character. The first is the first
// available font of CSS, whose metrics are those of the line.
type stack struct {
	faces []*Face
	// colour are those of them with coloured glyphs, which emoji take first.
	colour []*Face
	// hostile is whether some of them come from a guest.
	hostile bool
}

type stackKey struct {
	families        string
	weight, stretch float64
	style           Style
}

// Limits of what a set keeps: both are dropped whole when they are full.
const (
	maxStacks    = 256
	maxInstances = 256
)

// stack returns the faces for a font.
func (f *Fonts) stack(ft *Font, stretch float64) *stack {
	var buf [128]byte
	names := buf[:0]
	for _, fam := range ft.Families {
		names = append(names, fam.Name...)
		if fam.Generic {
			names = append(names, 1)
		}
		names = append(names, 0)
	}
	f.mu.RLock()
	// The conversion within the index does not allocate.
	s := f.stacks[stackKey{string(names), ft.Weight, stretch, ft.Style}]
	f.mu.RUnlock()
	if s != nil {
		return s
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s = f.makeStack(ft, stretch)
	if f.stacks == nil || len(f.stacks) >= maxStacks {
		f.stacks = make(map[stackKey]*stack)
	}
	f.stacks[stackKey{string(names), ft.Weight, stretch, ft.Style}] = s
	return s
}

func (f *Fonts) makeStack(ft *Font, stretch float64) *stack {
	s := new(stack)
	seen := make(map[*Face]bool)
	add := func(faces []*Face, family string) bool {
		face := best(faces, family, ft, stretch)
		if face == nil {
			return false
		}
		face = f.styled(face, ft, stretch)
		if !seen[face] {
			seen[face] = true
			s.faces = append(s.faces, face)
			s.hostile = s.hostile || face.hostile
			if face.info.Colour {
				s.colour = append(s.colour, face)
			}
		}
		return true
	}
	for _, fam := range ft.Families {
		if !fam.Generic && add(f.registered, fam.Name) {
			continue
		}
		if name, ok := bundle.Alias(strings.ToLower(fam.Name)); ok && (fam.Generic || !generics[strings.ToLower(fam.Name)]) {
			add(bundled(), name)
		}
	}
	if len(s.faces) == 0 {
		add(bundled(), standIn(ft.Families))
	}
	for _, face := range f.registered {
		add(f.registered, face.info.Family)
	}
	for _, name := range []string{bundle.Sans, bundle.Fallback, bundle.Serif, bundle.Mono} {
		add(bundled(), name)
	}
	return s
}

// standIn returns the bundled family for a list of which no family is there. Like browsers it
// is a serif one, unless the list begins with a family whose kind is widely known.
func standIn(families []Family) string {
	for _, fam := range families {
		if name, ok := bundle.StandIn(strings.ToLower(fam.Name)); ok {
			return name
		}
	}
	return bundle.Serif
}

// best chooses among the faces of a family as CSS does ("CSS Fonts Level 4", 5.2): by stretch,
// style and weight, in this order. The last of equal ones wins. It is nil when there is none.
func best(faces []*Face, family string, ft *Font, stretch float64) *Face {
	var chosen *Face
	var least [3]float64
	for _, f := range faces {
		if !strings.EqualFold(f.info.Family, family) {
			continue
		}
		rank := [3]float64{
			stretchRank(f.info.Stretch, stretch),
			styleRank(f.info.Style, ft.Style),
			weightRank(f.info.Weight, f.info.MaxWeight, ft.Weight),
		}
		if chosen == nil || !before(least, rank) {
			chosen, least = f, rank
		}
	}
	return chosen
}

func before(a, b [3]float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// far separates what is only taken when there is nothing on the preferred side.
const far = 10000

func stretchRank(have, want float64) float64 {
	switch d := have - want; {
	case d == 0:
		return 0
	case want <= 100 && d < 0, want > 100 && d > 0:
		return max(d, -d)
	default:
		return far + max(d, -d)
	}
}

func styleRank(have, want Style) float64 {
	order := [3][3]float64{
		Normal:  {Normal: 0, Oblique: 1, Italic: 2},
		Italic:  {Italic: 0, Oblique: 1, Normal: 2},
		Oblique: {Oblique: 0, Italic: 1, Normal: 2},
	}
	return order[want%3][have%3]
}

func weightRank(low, high, want float64) float64 {
	switch {
	case want >= low && want <= high:
		return 0
	case want < 400:
		if high < want {
			return want - high
		}
		return far + low - want
	case want > 500:
		if low > want {
			return low - want
		}
		return far + want - high
	case low > want && low <= 500:
		return low - want
	case high < want:
		return far + want - high
	default:
		return 2*far + low - want
	}
}

// styled returns the face as the font wants it: at its weight when it is variable, made bold
// or oblique when it is not. f.mu is held.
func (f *Fonts) styled(face *Face, ft *Font, stretch float64) *Face {
	want := instance{of: face}
	if !face.info.Bundled {
		if w := face.file.weight; w.max > w.min {
			want.weight = min(max(ft.Weight, w.min), w.max)
		}
		if w := face.file.width; w.max > w.min {
			want.width = min(max(stretch, w.min), w.max)
		}
	}
	heaviest := max(face.info.MaxWeight, want.weight)
	want.bold = ft.Weight >= 600 && heaviest < 600 && !face.info.Colour
	want.oblique = ft.Style != Normal && face.info.Style == Normal && !face.info.Colour
	if want == (instance{of: face}) {
		return face
	}
	if made := f.instances[want]; made != nil {
		return made
	}
	made := &Face{info: face.info, hostile: face.hostile, file: face.data(), caches: face.caches}
	if made.caches == bundled()[0].caches {
		// The process must not keep what only this set can reach.
		if f.caches == nil {
			f.caches = newCaches()
		}
		made.caches = f.caches
	}
	made.vary(want.weight, want.width)
	if want.bold {
		made.embolden = boldness
	}
	if want.oblique {
		made.slant = slant
	}
	if f.instances == nil || len(f.instances) >= maxInstances {
		f.instances = make(map[instance]*Face)
	}
	f.instances[want] = made
	return made
}

const (
	// boldness is by how much of an em made bold glyphs grow on each side.
	boldness = 1.0 / 56
	// slant is that of made oblique glyphs, the tangent of 14°, which is what oblique means.
	slant = 0.25
)
