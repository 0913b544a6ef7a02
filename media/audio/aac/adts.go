package aac

import (
	"io"

	"quicksand/media/audio"
)

// parseADTS reads the headers of all frames of an ADTS file (ISO/IEC 14496-3 §1.A.3), which is
// how its duration is known.
func parseADTS(data []byte) (*stream, error) {
	data = audio.TrimID3(data)
	if len(data) < 7 {
		return nil, audio.FormatError("there is no frame of ADTS in it")
	}
	// The profile is the object type less 1.
	objectType := int(data[2]>>6) + 1
	rateIndex := int(data[2] >> 2 & 15)
	channels := int(data[2]&1)<<2 | int(data[3]>>6)
	if err := check(objectType, rateIndex, channels); err != nil {
		return nil, err
	}
	count, size := int64(0), 0
	next := adtsUnits(data)
	for {
		unit, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		count++
		size += len(unit)
	}
	s := &stream{
		info:   audio.Info{Codec: "aac", Rate: rates[rateIndex], Channels: channels, Frames: count * frameSize},
		config: []byte{byte(objectType<<3 | rateIndex>>1), byte(rateIndex<<7 | channels<<3)},
		units:  func() func() ([]byte, error) { return adtsUnits(data) },
	}
	if count > 0 {
		s.info.BitRate = int(8 * int64(size) * int64(s.info.Rate) / s.info.Frames)
	}
	return s, nil
}

// adtsUnits goes through frames with the same fixed header as the first one. It ends where
// there is none, such as at a tag or at a frame that is cut.
func adtsUnits(data []byte) func() ([]byte, error) {
	first := data
	return func() ([]byte, error) {
		if len(data) < 7 || data[0] != 0xFF || data[1]&0xF6 != 0xF0 || data[2]&0xFD != first[2]&0xFD || data[3]&0xC0 != first[3]&0xC0 {
			return nil, io.EOF
		}
		head := 7
		if data[1]&1 == 0 {
			head = 9 // with a CRC
		}
		size := int(data[3]&3)<<11 | int(data[4])<<3 | int(data[5])>>5
		if size <= head || size > len(data) {
			return nil, io.EOF
		}
		if data[6]&3 != 0 {
			return nil, audio.FormatError("ADTS with more than one access unit in a frame is not supported")
		}
		unit := data[head:size:size]
		data = data[size:]
		return unit, nil
	}
}
