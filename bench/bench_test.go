package bench

import (
	"strings"
	"testing"
)

// Every workload is done by every engine of this build, to the right result.
func TestWorkloads(t *testing.T) {
	for _, c := range Own("") {
		t.Run(strings.TrimPrefix(c.Info().Name, "Quicksand "), func(t *testing.T) {
			defer c.Close()
			for i := range Workloads {
				w := &Workloads[i]
				t.Run(w.Name, func(t *testing.T) {
					if testing.Short() && (w.Group() == "soak" || strings.Contains(w.Name, "64MB") || strings.Contains(w.Name, "50000")) {
						t.Skip("it takes seconds")
					}
					s, err := c.Open(w)
					if err != nil {
						t.Skip(err)
					}
					b, err := s.Run(1)
					if err != nil {
						t.Fatal(err)
					}
					if len(b.Values) != 1 || b.Values[0] < 0 {
						t.Errorf("got %v", b.Values)
					}
					t.Log(figure(b.Values[0]/w.per(), w.unit()))
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}
