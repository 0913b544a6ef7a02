package aws

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// call calls an export at a fixed time and returns JSON, or the error after "! ".
func call(t *testing.T, at time.Time, export string, options map[string]any) string {
	t.Helper()
	s := bridges.NewSession(bridges.SessionOptions{Now: func() time.Time { return at }})
	defer s.Close()
	m := hostmods.Lookup("aws")
	for i := range m.Funcs {
		f := m.Funcs[i]
		if f.Name != export {
			continue
		}
		f.Op = "aws." + export
		args, err := marshal.NewValue([]any{options}, marshal.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := bridges.Unpack(s, &bridges.Bridge{Name: m.Pack()}, &f, args)
		var v any
		if err == nil {
			v, err = f.Call(context.Background(), c)
		}
		if err != nil {
			return "! " + err.Error()
		}
		out, err := marshal.NewValue(v, marshal.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := out.JSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	t.Fatalf("no export %s", export)
	return ""
}

// signatureOf is the signature in what call returned.
func signatureOf(s string) string {
	for _, mark := range []string{"Signature=", "X-Amz-Signature="} {
		if i := strings.LastIndex(s, mark); i >= 0 && len(s) >= i+len(mark)+64 {
			return s[i+len(mark) : i+len(mark)+64]
		}
	}
	return s
}

func with(base map[string]any, kv ...any) map[string]any {
	m := make(map[string]any)
	for k, v := range base {
		m[k] = v
	}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i].(string)] = kv[i+1]
	}
	return m
}

// suite are the credentials and the time of AWS's test suite for Signature Version 4.
var (
	suite     = map[string]any{"accessKeyId": "AKIDEXAMPLE", "secretAccessKey": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "service": "service"}
	suiteTime = time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)
)

// s3 are those of the examples in the documentation of Amazon S3.
var (
	s3     = map[string]any{"accessKeyId": "AKIAIOSFODNN7EXAMPLE", "secretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	s3Time = time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
)

func TestPublishedVectors(t *testing.T) {
	headers := func(kv ...any) map[string]any { return with(nil, kv...) }
	for _, c := range []struct {
		name    string
		options map[string]any
		at      time.Time
		want    string
	}{
		{"get-vanilla", with(suite, "url", "https://example.amazonaws.com/"), suiteTime, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
		{"get-vanilla-query-order-key-case", with(suite, "url", "https://example.amazonaws.com/?Param2=value2&Param1=value1"), suiteTime, "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
		{"get-vanilla-empty-query-key", with(suite, "url", "https://example.amazonaws.com/?Param1=value1"), suiteTime, "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"},
		{"get-vanilla-query-unreserved", with(suite, "url", "https://example.amazonaws.com/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"), suiteTime,
			"9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
		{"get-vanilla-utf8-query", with(suite, "url", "https://example.amazonaws.com/?ሴ=bar"), suiteTime, "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
		{"get-unreserved", with(suite, "url", "https://example.amazonaws.com/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"), suiteTime, "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
		{"get-slashes", with(suite, "url", "https://example.amazonaws.com//example//"), suiteTime, "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"},
		{"get-header-value-trim", with(suite, "url", "https://example.amazonaws.com/", "headers", headers("My-Header1", " value1", "My-Header2", ` "a   b   c"`)), suiteTime, "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
		{"post-vanilla", with(suite, "url", "https://example.amazonaws.com/", "method", "post"), suiteTime, "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
		{"post-vanilla-query", with(suite, "url", "https://example.amazonaws.com/?Param1=value1", "method", "POST"), suiteTime, "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
		{"post-header-key-sort", with(suite, "url", "https://example.amazonaws.com/", "method", "POST", "headers", headers("My-Header1", "value1")), suiteTime, "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"},
		{"post-header-value-case", with(suite, "url", "https://example.amazonaws.com/", "method", "POST", "headers", headers("My-Header1", "VALUE1")), suiteTime, "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"},
		{"post-x-www-form-urlencoded", with(suite, "url", "https://example.amazonaws.com/", "method", "POST", "headers", headers("Content-Type", "application/x-www-form-urlencoded"), "body", "Param1=value1"), suiteTime,
			"ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
		{"post-sts-header-before", with(suite, "url", "https://example.amazonaws.com/", "method", "POST", "sessionToken", "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="), suiteTime,
			"85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"},
		{"S3: GET Object with a range", with(s3, "url", "https://examplebucket.s3.amazonaws.com/test.txt", "headers", headers("Range", "bytes=0-9")), s3Time, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
		{"S3: PUT Object with a dollar in its name", with(s3, "url", "https://examplebucket.s3.amazonaws.com/test$file.text", "method", "PUT",
			"headers", headers("Date", "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class", "REDUCED_REDUNDANCY"), "body", []byte("Welcome to Amazon S3.")), s3Time,
			"98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"},
		{"S3: GET Bucket Lifecycle", with(s3, "url", "https://examplebucket.s3.amazonaws.com/?lifecycle"), s3Time, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
		{"S3: List Objects", with(s3, "url", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J"), s3Time, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := signatureOf(call(t, c.at, "sigv4", c.options)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	got := call(t, s3Time, "presign", with(s3, "url", "https://examplebucket.s3.amazonaws.com/test.txt", "expiresIn", 86400))
	want := `"https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"`
	if got != want {
		t.Errorf("a presigned address:\ngot  %s\nwant %s", got, want)
	}
}

// TestPaths: S3 signs what is sent; other services escape that once more, so that characters
// which mean something in a path verify.
func TestPaths(t *testing.T) {
	for _, c := range []struct{ path, service, wire, signed string }{
		{"", "s3", "/", "/"},
		{"/a b", "s3", "/a%20b", "/a%20b"},
		{"/a%20b", "s3", "/a%20b", "/a%20b"},
		{"/a+b", "s3", "/a%2Bb", "/a%2Bb"},
		{"/a//b", "s3", "/a//b", "/a//b"},
		{"/a%2Fb", "s3", "/a%2Fb", "/a%2Fb"},
		{"/ሴ", "s3", "/%E1%88%B4", "/%E1%88%B4"},
		{"/a b", "execute-api", "/a%20b", "/a%2520b"},
		{"/a%2Fb", "execute-api", "/a%2Fb", "/a%252Fb"},
		{"/2015-03-31/functions/arn:aws:lambda:eu-west-1:1:function:f/invocations", "lambda",
			"/2015-03-31/functions/arn%3Aaws%3Alambda%3Aeu-west-1%3A1%3Afunction%3Af/invocations",
			"/2015-03-31/functions/arn%253Aaws%253Alambda%253Aeu-west-1%253A1%253Afunction%253Af/invocations"},
		{"//a///b/", "sqs", "//a///b/", "/a/b/"},
	} {
		u, err := url.Parse("https://h" + c.path)
		if err != nil {
			t.Fatal(err)
		}
		wire, signed, err := paths(u, c.service)
		if err != nil || wire != c.wire || signed != c.signed {
			t.Errorf("%s of %s: got %s and %s, %v; want %s and %s", c.path, c.service, wire, signed, err, c.wire, c.signed)
		}
	}
}

func TestResults(t *testing.T) {
	for _, c := range []struct {
		name, export string
		options      map[string]any
		want         string
	}{
		{"a request has all that fetch needs, and no host", "sigv4", with(s3, "url", "HTTPS://Bucket.Example.com:443/k?b=2&a=1%2B+x#part", "method", "put", "body", "x", "sessionToken", "T", "headers", map[string]any{"X-A": 5, "X-B": nil}),
			`{"url":"https://bucket.example.com/k?a=1%2B%20x&b=2","method":"PUT","headers":{"X-A":"5","x-amz-date":"20130524T000000Z","x-amz-content-sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","x-amz-security-token":"T","Authorization":"AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-a;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=*"}}`},
		{"the hash of the body may be given", "sigv4", with(s3, "url", "http://localhost:9000/b/k", "payloadHash", "UNSIGNED-PAYLOAD"),
			`{"url":"http://localhost:9000/b/k","method":"GET","headers":{"x-amz-date":"20130524T000000Z","x-amz-content-sha256":"UNSIGNED-PAYLOAD","Authorization":"AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=*"}}`},
		{"other services have no hash in the headers", "sigv4", with(s3, "url", "https://sqs.eu-west-1.amazonaws.com", "service", "sqs", "region", "eu-west-1"),
			`{"url":"https://sqs.eu-west-1.amazonaws.com/","method":"GET","headers":{"x-amz-date":"20130524T000000Z","Authorization":"AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/eu-west-1/sqs/aws4_request, SignedHeaders=host;x-amz-date, Signature=*"}}`},
		{"seconds are floored and clamped", "presign", with(s3, "url", "https://b.example.com/k?x=a b", "expiresIn", 1e9, "sessionToken", "T/1"),
			`"https://b.example.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=604800&X-Amz-Security-Token=T%2F1&X-Amz-SignedHeaders=host&x=a%20b&X-Amz-Signature=*"`},
		{"no address", "sigv4", s3, `! aws.sigv4: options.url must be a string, not undefined`},
		{"a relative address", "sigv4", with(s3, "url", "/k"), `! aws.sigv4: options.url must be an absolute http or https address without a user`},
		{"an address with a user", "presign", with(s3, "url", "https://secret@h/k"), `! aws.presign: options.url must be an absolute http or https address without a user`},
		{"an address with a segment of dots", "sigv4", with(s3, "url", "https://h/a/%2e./b"), `! aws.sigv4: options.url has a segment of dots, which clients resolve`},
		{"no key", "sigv4", map[string]any{"url": "https://h/"}, `! aws.sigv4: options.accessKeyId and options.secretAccessKey must be given; getSecret(name) gives them`},
		{"a key of another type", "sigv4", with(s3, "url", "https://h/", "secretAccessKey", 12345), `! aws.sigv4: options.secretAccessKey must be a string of visible ASCII characters`},
		{"a key with a line break", "sigv4", with(s3, "url", "https://h/", "accessKeyId", "AK\r\nX: y"), `! aws.sigv4: options.accessKeyId must be a string of visible ASCII characters`},
		{"a header that is added", "sigv4", with(s3, "url", "https://h/", "headers", map[string]any{"Host": "x"}), `! aws.sigv4: options.headers must not have host, which the signature adds`},
		{"a header that is an object", "sigv4", with(s3, "url", "https://h/", "headers", map[string]any{"A": []any{}}), `! aws.sigv4: options.headers.A must be a string, number, boolean or date`},
		{"a header with a line break", "sigv4", with(s3, "url", "https://h/", "headers", map[string]any{"A": "x\ny"}), `! aws.sigv4: options.headers.A must not have line breaks`},
		{"a header that has no name", "sigv4", with(s3, "url", "https://h/", "headers", map[string]any{"a b": "x"}), `! aws.sigv4: options.headers has "a b", which is no name of a header`},
		{"a header twice", "sigv4", with(s3, "url", "https://h/", "headers", &marshal.Object{Entries: []marshal.Entry{{Key: "A", Value: "1"}, {Key: "a", Value: "2"}}}), `! aws.sigv4: options.headers has a twice`},
		{"a body that is a number", "sigv4", with(s3, "url", "https://h/", "body", 5), `! aws.sigv4: options.body must be a string or Uint8Array, not the number 5`},
		{"a body that is too large", "sigv4", with(s3, "url", "https://h/", "body", make([]byte, 10_485_761)), `! aws.sigv4: the body has 10485761 bytes, more than the limit of 10485760 (HostBytesSize)`},
		{"a region with a slash", "sigv4", with(s3, "url", "https://h/", "region", "a/b"), `! aws.sigv4: options.region must be a name of letters, digits and dashes`},
		{"a parameter that is added", "presign", with(s3, "url", "https://h/?x-amz-date=1"), `! aws.presign: options.url must not have the parameter X-Amz-Date, which the signature adds`},
		{"an escape that is none", "sigv4", with(s3, "url", "https://h/?a=%zz"), `! aws.sigv4: options.url has an escape in its query that is not valid`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := call(t, s3Time, c.export, c.options)
			if signature := signatureOf(got); signature != got {
				got = strings.Replace(got, signature, "*", 1)
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
