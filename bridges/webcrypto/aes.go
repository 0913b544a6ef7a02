package webcrypto

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
)

// encryptAES and decryptAES are the modes of AES. Keys have a size that AES has.

func encryptAES(p *params, k *key, data []byte) ([]byte, error) {
	block, err := aes.NewCipher(k.secret)
	if err != nil {
		return nil, err
	}
	switch p.alg.name {
	case "AES-CBC":
		if err := needIV(p); err != nil {
			return nil, err
		}
		pad := aes.BlockSize - len(data)%aes.BlockSize
		out := make([]byte, len(data)+pad)
		copy(out, data)
		copy(out[len(data):], bytes.Repeat([]byte{byte(pad)}, pad))
		cipher.NewCBCEncrypter(block, p.iv).CryptBlocks(out, out)
		return out, nil
	case "AES-CTR":
		return countAES(p, block, data)
	}
	tag, err := gcmTag(p)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithNonceSize(block, len(p.iv))
	if err != nil {
		return nil, err
	}
	// A short tag is the beginning of the long one (NIST SP 800-38D, 7.1).
	out := aead.Seal(make([]byte, 0, len(data)+aead.Overhead()), p.iv, data, p.additionalData)
	return out[:len(data)+tag], nil
}

func decryptAES(p *params, k *key, data []byte) ([]byte, error) {
	block, err := aes.NewCipher(k.secret)
	if err != nil {
		return nil, err
	}
	switch p.alg.name {
	case "AES-CBC":
		if err := needIV(p); err != nil {
			return nil, err
		}
		if len(data) == 0 || len(data)%aes.BlockSize != 0 {
			return nil, failf(operationError, "decryption failed")
		}
		out := make([]byte, len(data))
		cipher.NewCBCDecrypter(block, p.iv).CryptBlocks(out, data)
		pad := int(out[len(out)-1])
		if pad == 0 || pad > aes.BlockSize || !bytes.Equal(out[len(out)-pad:], bytes.Repeat([]byte{byte(pad)}, pad)) {
			return nil, failf(operationError, "decryption failed")
		}
		return out[:len(out)-pad], nil
	case "AES-CTR":
		return countAES(p, block, data)
	}
	tag, err := gcmTag(p)
	if err != nil {
		return nil, err
	}
	n := len(data) - tag
	if n < 0 {
		return nil, failf(operationError, "the data is shorter than its tag of %d bytes", tag)
	}
	aead, err := cipher.NewGCMWithNonceSize(block, len(p.iv))
	if err != nil {
		return nil, err
	}
	if tag == aead.Overhead() {
		out, err := aead.Open(nil, p.iv, data, p.additionalData)
		if err != nil {
			return nil, failf(operationError, "decryption failed")
		}
		return out, nil
	}
	// The library opens no tag as short as this one. The cipher is a stream: sealing zeros
	// gives the stream, and sealing the text again gives the whole tag to compare with.
	out := aead.Seal(make([]byte, 0, n+aead.Overhead()), p.iv, make([]byte, n), nil)[:n]
	subtle.XORBytes(out, out, data[:n])
	whole := aead.Seal(make([]byte, 0, n+aead.Overhead()), p.iv, out, p.additionalData)
	if subtle.ConstantTimeCompare(whole[n:n+tag], data[n:]) != 1 {
		return nil, failf(operationError, "decryption failed")
	}
	return out, nil
}

func needIV(p *params) error {
	switch {
	case p.iv == nil:
		return failf(typeError, "algorithm.iv is required for %s", p.alg.name)
	case len(p.iv) != aes.BlockSize:
		return failf(operationError, "algorithm.iv must have 16 bytes, not %d", len(p.iv))
	}
	return nil
}

// gcmTag checks the parameters of AES-GCM and returns the size of the tag.
func gcmTag(p *params) (int, error) {
	if p.iv == nil {
		return 0, failf(typeError, "algorithm.iv is required for AES-GCM")
	}
	if len(p.iv) == 0 {
		return 0, failf(operationError, "algorithm.iv must not be empty")
	}
	switch bits := p.tagLength.or(128); bits {
	case 32, 64, 96, 104, 112, 120, 128:
		return int(bits / 8), nil
	default:
		return 0, failf(operationError, "algorithm.tagLength must be 32, 64, 96, 104, 112, 120 or 128, not %d", bits)
	}
}

// countAES is the counter mode, both ways. Only the last length bits of the counter count;
// they wrap around, and what is before them stays.
func countAES(p *params, block cipher.Block, data []byte) ([]byte, error) {
	switch {
	case p.counter == nil || !p.length.set:
		return nil, failf(typeError, "algorithm.counter and algorithm.length are required for AES-CTR")
	case len(p.counter) != aes.BlockSize:
		return nil, failf(operationError, "algorithm.counter must have 16 bytes, not %d", len(p.counter))
	case p.length.value < 1 || p.length.value > 128:
		return nil, failf(operationError, "algorithm.length must be 1 to 128, not %d", p.length.value)
	}
	n := uint(p.length.value)
	blocks := (uint64(len(data)) + aes.BlockSize - 1) / aes.BlockSize
	if n < 64 && blocks > 1<<n {
		return nil, failf(operationError, "the data has more blocks than a counter of %d bits can number", n)
	}
	out := make([]byte, len(data))
	// left is how many blocks there are before the counter wraps, as far as it matters.
	left := blocks
	if n < 128 {
		high, low := binary.BigEndian.Uint64(p.counter), binary.BigEndian.Uint64(p.counter[8:])
		switch {
		case n < 64:
			left = 1<<n - low&(1<<n-1)
		case n == 64 || high|(1<<64-1)<<(n-64) == 1<<64-1:
			// The counter's upper part, if any, is all ones: the lower decides.
			if low != 0 {
				left = -low
			}
		}
	}
	if left >= blocks {
		cipher.NewCTR(block, p.counter).XORKeyStream(out, data)
		return out, nil
	}
	at := left * aes.BlockSize
	cipher.NewCTR(block, p.counter).XORKeyStream(out[:at], data[:at])
	wrapped := bytes.Clone(p.counter)
	for i := range wrapped {
		low := uint(8 * (len(wrapped) - 1 - i)) // bits after this byte
		if low+8 <= n {
			wrapped[i] = 0
		} else if low < n {
			wrapped[i] &^= 1<<(n-low) - 1
		}
	}
	cipher.NewCTR(block, wrapped).XORKeyStream(out[at:], data[at:])
	return out, nil
}
