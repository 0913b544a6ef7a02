package twilio

import (
	"context"
	"testing"

	"quicksand/hostmods/hosttest"
)

type object = map[string]any

func TestRequest(t *testing.T) {
	options := func(kv ...any) object {
		m := object{"accountSid": "AC1", "authToken": "tök", "path": "Messages.json"}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	const auth = `"headers":{"Authorization":"Basic QUMxOnTDtms="`
	for _, c := range []struct {
		name    string
		options object
		want    string
	}{
		{"a path is one of the account", options(), `{"url":"https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json","method":"GET",` + auth + `}}`},
		{"parameters of GET are in the query", options("params", object{"To": "+1 5"}, "query", object{"a": []any{1, 2}}),
			`{"url":"https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json?a=1&a=2&To=%2B1+5","method":"GET",` + auth + `}}`},
		{"those of DELETE too", options("method", "delete", "params", object{"x": true}), `{"url":"https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json?x=true","method":"DELETE",` + auth + `}}`},
		{"those of POST are a form", options("method", "post", "params", object{"Body": "a&b=ü", "To": []any{"x", "y"}, "Z": nil}),
			`{"url":"https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json","method":"POST",` + auth + `,"Content-Type":"application/x-www-form-urlencoded"},"body":"Body=a%26b%3D%C3%BC&To=x&To=y"}`},
		{"a POST without parameters has no body", options("method", "POST"), `{"url":"https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json","method":"POST",` + auth + `}}`},
		{"another API", options("host", "lookups.twilio.com", "path", "/v2/PhoneNumbers/+15550001111"), `{"url":"https://lookups.twilio.com/v2/PhoneNumbers/+15550001111","method":"GET",` + auth + `}}`},
		{"an account with a slash stays in its segment", options("accountSid", "A/../B"), `{"url":"https://api.twilio.com/2010-04-01/Accounts/A%2F..%2FB/Messages.json","method":"GET","headers":{"Authorization":"Basic QS8uLi9COnTDtms="}}`},
		{"a host of somebody else", options("host", "evil.com"), `! twilio.request: options.host must be a host of twilio.com in lower case, such as api.twilio.com`},
		{"a host that ends alike", options("host", "eviltwilio.com"), `! twilio.request: options.host must be a host of twilio.com in lower case, such as api.twilio.com`},
		{"a host with a path", options("host", "evil.com/x.twilio.com"), `! twilio.request: options.host must be a host of twilio.com in lower case, such as api.twilio.com`},
		{"a host with a user", options("host", "x@a.twilio.com"), `! twilio.request: options.host must be a host of twilio.com in lower case, such as api.twilio.com`},
		{"a host with a line break", options("host", "api.twilio.com\n"), `! twilio.request: options.host must be a host of twilio.com in lower case, such as api.twilio.com`},
		{"a host in upper case", options("host", "API.twilio.com"), `! twilio.request: options.host must be a host of twilio.com in lower case, such as api.twilio.com`},
		{"another host in the path", options("path", "//other.host/x"), `! twilio.request: path must be a path of https://api.twilio.com, not an address`},
		{"a path of another account", options("path", "../AC2/Messages.json"), `! twilio.request: path must not have the segment ..`},
		{"a hidden path of another account", options("path", "%2e%2E/AC2/Messages.json"), `! twilio.request: path must not have the segment ..`},
		{"no path", options("path", ""), `! twilio.request: options.path must not be empty`},
		{"no account", options("accountSid", nil), `! twilio.request: options.accountSid and options.authToken must be given, without a colon in the former; getSecret(name) gives them`},
		{"a token that is a number", options("authToken", 12345), `! twilio.request: options.accountSid and options.authToken must be given, without a colon in the former; getSecret(name) gives them`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := hosttest.JSON(context.Background(), "twilio.request", c.options); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
