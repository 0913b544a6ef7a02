package cldr

// rangePlan is what a formatter keeps for ranges and for day periods.
type rangePlan struct {
	pattern  []patternItem
	override string // numbering systems of the date pattern
}

// onTheHour tells whether the parts of the time that the pattern shows are zero.
func (p *rangePlan) onTheHour(v *moment) bool {
	for _, it := range p.pattern {
		if it.letter == 'm' && v.minute != 0 || it.letter == 's' && v.second != 0 {
			return false
		}
	}
	return true
}
