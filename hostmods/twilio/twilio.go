// Package twilio is the module "twilio" for guests: it prepares requests to the APIs of
// Twilio, which the guest sends with fetch. It does no input or output itself.
//
// Unlike NodeTool's module it refuses a path that is an address or has dots, double slashes or
// backslashes, and keeps the account within its segment of the path.
//
// Importing the package registers the module. It has no state; all of it may be used by any
// number of goroutines.
package twilio

import (
	"context"
	_ "embed"
	"encoding/base64"
	"regexp"
	"strings"

	"quicksand/bridges"
	"quicksand/hostmods"
)

//go:embed SKILL.md
var skill string

func init() {
	hostmods.Register(&hostmods.Module{
		ID:    "twilio",
		Doc:   "Requests to the Twilio APIs.",
		Skill: skill,
		Funcs: []bridges.Func{{
			Name: "request", Result: "{url, method, headers, body?} for fetch", Doc: "Prepares a request.",
			Params: []bridges.Param{{Name: "options", Type: bridges.Object, Fields: []bridges.Param{
				{Name: "path", Type: bridges.String, Doc: "of the account: Messages.json; or one that begins with a slash"},
				{Name: "method", Type: bridges.String, Optional: true},
				{Name: "host", Type: bridges.String, Optional: true, Doc: "of Twilio: verify.twilio.com"},
			}, Doc: "accountSid, authToken, path, method, host, params, query"}},
			Call: request,
		}},
	})
}

// hosts are those that credentials may go to.
var hosts = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+twilio\.com$`)

func request(_ context.Context, c *bridges.Call) (any, error) {
	o := c.Options(0)
	host := o.Str("host")
	if host == "" {
		host = "api.twilio.com"
	}
	if len(host) > 253 || !hosts.MatchString(host) {
		return nil, bridges.TypeErrorf(c.Op(), "options.host must be a host of twilio.com in lower case, such as api.twilio.com")
	}
	r := hostmods.NewRequest(c, "https://"+host, o.Str("method"))
	sid, _ := o.Field("accountSid").Str()
	token, _ := o.Field("authToken").Str()
	if sid == "" || token == "" || strings.Contains(sid, ":") {
		r.Fail("options.accountSid and options.authToken must be given, without a colon in the former; getSecret(name) gives them")
	}
	path := o.Str("path")
	switch {
	case path == "":
		r.Fail("options.path must not be empty")
	case path[0] == '/':
		r.Path("", path)
	default:
		r.Path("/2010-04-01/Accounts", "")
		r.Segment("options.accountSid", sid)
		r.Path("/", path)
	}
	r.Header("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(sid+":"+token)))
	r.Query("options.query", o.Field("query"))
	switch {
	case r.Method() == "GET" || r.Method() == "DELETE":
		r.Query("options.params", o.Field("params"))
	case o.Has("params"):
		r.Form("options.params", o.Field("params"))
	}
	return r.Result()
}
