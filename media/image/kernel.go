package image

import "math"

// A Kernel is a resampling filter.
type Kernel uint8

// Kernels. The zero value is Lanczos3.
const (
	Lanczos3 Kernel = iota
	Lanczos2
	Mitchell // B = C = ⅓ (Mitchell and Netravali, "Reconstruction filters in computer graphics", 1988)
	CatmullRom
	Linear // a triangle; an area-weighted one when shrinking
	Box    // the mean of the area
	Nearest
)

var kernels = [...]struct {
	name   string
	radius float64
	at     func(x float64) float64
}{
	Lanczos3:   {"lanczos3", 3, func(x float64) float64 { return sinc(x) * sinc(x/3) }},
	Lanczos2:   {"lanczos2", 2, func(x float64) float64 { return sinc(x) * sinc(x/2) }},
	Mitchell:   {"mitchell", 2, func(x float64) float64 { return cubic(x, 1.0/3, 1.0/3) }},
	CatmullRom: {"cubic", 2, func(x float64) float64 { return cubic(x, 0, 0.5) }},
	Linear:     {"linear", 1, func(x float64) float64 { return 1 - x }},
	Box:        {"box", 0.5, func(x float64) float64 { return 1 }},
	Nearest:    {"nearest", 0, nil},
}

// String is the kernel's name.
func (k Kernel) String() string { return kernels[k].name }

// ParseKernel finds a kernel by its name.
func ParseKernel(name string) (Kernel, bool) {
	for k := range kernels {
		if kernels[k].name == name {
			return Kernel(k), true
		}
	}
	return 0, false
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// cubic is the family of Mitchell and Netravali for x ≥ 0.
func cubic(x, b, c float64) float64 {
	if x < 1 {
		return ((12-9*b-6*c)*x*x*x + (-18+12*b+6*c)*x*x + 6 - 2*b) / 6
	}
	return ((-b-6*c)*x*x*x + (6*b+30*c)*x*x + (-12*b-48*c)*x + 8*b + 24*c) / 6
}

// weightBits is the precision of a weight. Sums of 255·2^12, overshoot included, fit into
// the lanes of the loops.
const weightBits = 12

// weights are what each sample of a resampled line is made of.
type weights struct {
	taps  int      // of each sample
	first []int32  // input sample of the first tap
	w     []uint64 // taps for each sample, in two's complement; each sums to 1<<weightBits
	same  bool     // all samples share the first ones
}

// weightsOf are the weights of sample i.
func (w *weights) weightsOf(i int) []uint64 {
	if w.same {
		i = 0
	}
	return w.w[i*w.taps : (i+1)*w.taps]
}

// newWeights computes how n samples are made from the part [from, from+size) of a line of
// in samples. Shrinking widens the kernel. A line that was halved gets back what the means
// took.
func newWeights(k Kernel, n int, from, size float64, in int, halved bool) weights {
	scale := size / float64(n)
	if k == Nearest {
		w := weights{taps: 1, first: make([]int32, n), w: make([]uint64, n)}
		for i := range n {
			w.first[i] = int32(min(max(int(math.Floor(from+(float64(i)+0.5)*scale)), 0), in-1))
			w.w[i] = 1 << weightBits
		}
		return w
	}
	stretch := max(scale, 1)
	radius := kernels[k].radius * stretch
	extra := 0
	if halved {
		extra = 1
	}
	w := weights{taps: min(int(math.Ceil(2*radius))+1+2*extra, in), first: make([]int32, n)}
	w.w = make([]uint64, n*w.taps)
	f, g := make([]float64, w.taps), make([]float64, w.taps)
	for i := range n {
		center := from + (float64(i)+0.5)*scale
		lo := int(math.Ceil(center-radius-0.5)) - extra
		if k == Box {
			lo = int(math.Floor(center - radius)) // a sample counts by its share
		}
		lo = min(max(lo, 0), in-w.taps)
		w.first[i] = int32(lo)
		sum := 0.0
		for t := range f {
			// Weights are those of sample centres, for the box those of the shared width.
			x := math.Abs(float64(lo+t)+0.5-center) / stretch
			switch {
			case k == Box:
				a, b := float64(lo+t), float64(lo+t+1)
				f[t] = max(min(b, center+radius)-max(a, center-radius), 0)
			case x < kernels[k].radius:
				f[t] = kernels[k].at(x)
			default:
				f[t] = 0
			}
			sum += f[t]
		}
		if halved {
			restore(g, f)
			f, g = g, f
		}
		quantizeWeights(w.weightsOf(i), f, sum)
	}
	return w
}

// restore convolves f with −a, 1+2a, −a, a = 1/32, into g. The mean of two neighbours lets
// through cos(πf/2) of a frequency f, in cycles per mean; times 1+2a−2a·cos(2πf) that is 1
// up to the second order, and within 5 % where the kernel lets anything through.
func restore(g, f []float64) {
	const a = 1.0 / 32
	for t, v := range f {
		// What would fall outside of the line stays on its last sample.
		g[t] = v + 2*a*v - a*f[max(t-1, 0)] - a*f[min(t+1, len(f)-1)]
	}
}

// maxNegative is what negative weights of a sample may be together, so that its sums stay in
// their lanes. Those of the kernels are at most 0.37; only at the edge of a line, where taps
// are missing, could more come together.
const maxNegative = 0.48

// quantizeWeights rounds weights so that their sum is exact: what is lost goes to the
// largest.
func quantizeWeights(dst []uint64, f []float64, sum float64) {
	negative := 0.0
	for _, v := range f {
		negative -= min(v/sum, 0)
	}
	if negative > maxNegative {
		sum = 0
		for t, v := range f {
			f[t] = max(v, 0)
			sum += f[t]
		}
	}
	left, best := int64(1<<weightBits), 0
	for t, v := range f {
		w := int64(math.Round(v / sum * (1 << weightBits)))
		dst[t] = uint64(w)
		left -= w
		if w > int64(dst[best]) {
			best = t
		}
	}
	dst[best] += uint64(left)
}
