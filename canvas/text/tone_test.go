package text

import "testing"

func TestTones(t *testing.T) {
	for _, row := range []struct {
		name    string
		colour  [4]uint8
		tone    Tone
		cover   uint8
		becomes uint8
	}{
		// Steep strokes are that in Chromium, to a level.
		{"black thins", [4]uint8{0, 0, 0, 255}, 0, 180, 174},
		{"blue is as dark as black", [4]uint8{0, 0, 255, 255}, 0, 180, 174},
		{"translucent white is white", [4]uint8{255, 255, 255, 9}, 7, 128, 144},
		{"gray", [4]uint8{128, 128, 128, 255}, 4, 128, 134},
		{"red", [4]uint8{255, 0, 0, 255}, 1, 0, 0},
		{"green", [4]uint8{0, 255, 0, 255}, 5, 255, 255},
	} {
		if got := ToneOf(row.colour); got != row.tone {
			t.Errorf("%s: tone %d, want %d", row.name, got, row.tone)
		}
		if got := toned[row.tone][row.cover]; got != row.becomes {
			t.Errorf("%s: %d becomes %d, want %d", row.name, row.cover, got, row.becomes)
		}
	}
	for tone := range toned {
		for i := range 255 {
			if toned[tone][i] > toned[tone][i+1] {
				t.Errorf("tone %d falls after %d", tone, i)
			}
		}
	}
}
