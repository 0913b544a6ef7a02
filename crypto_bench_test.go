package quicksand

import "testing"

// BenchmarkCrypto is one call each, awaited where it is asynchronous. Its first row is what
// a run pays that touches crypto.subtle at all.
func BenchmarkCrypto(b *testing.B) {
	rows := []struct{ name, setup, call string }{
		{"randomUUID", "", "crypto.randomUUID()"},
		{"digest100B", "const d = new Uint8Array(100)", "await crypto.digest('SHA-256', d)"},
		{"hmac100B", "const d = new Uint8Array(100)", "await crypto.hmac('SHA-256', d, d)"},
		{"digest64KB", "const d = new Uint8Array(65536)", "await crypto.digest('SHA-256', d)"},
		{"crc32of100B", "const d = new Uint8Array(100)", "crypto.crc32(d)"},
		{"subtleDigest100B", "const d = new Uint8Array(100), S = crypto.subtle", "await S.digest('SHA-256', d)"},
		{"subtleHMAC100B", "const d = new Uint8Array(100), S = crypto.subtle, k = await S.importKey('raw', d, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])", "await S.sign('HMAC', k, d)"},
		{"subtleGCM1KB", "const d = new Uint8Array(1024), iv = new Uint8Array(12), S = crypto.subtle, k = await S.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt'])", "await S.encrypt({ name: 'AES-GCM', iv }, k, d)"},
	}
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		b.Run("touchSubtle", func(b *testing.B) {
			for b.Loop() {
				must(b, s, "crypto.subtle", Options{})
			}
		})
		for _, row := range rows {
			b.Run(row.name, func(b *testing.B) {
				inGuest(b, s, row.setup+"; for (let i = 0; i < inputs.n; i++) "+row.call, Options{})
			})
		}
	})
}
