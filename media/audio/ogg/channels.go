package ogg

// order[n][i] is which channel of a file with n of them is the one at i in the order of
// WAVE_FORMAT_EXTENSIBLE. Files are in that of Vorbis I §4.3.9 and RFC 7845 §5.1.1.2.
var order = [9][]int{
	1: {0},
	2: {0, 1},
	3: {0, 2, 1},
	4: {0, 1, 2, 3},
	5: {0, 2, 1, 3, 4},
	6: {0, 2, 1, 5, 3, 4},
	7: {0, 2, 1, 6, 5, 3, 4},
	8: {0, 2, 1, 7, 5, 6, 3, 4},
}
