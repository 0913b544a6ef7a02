// Package bridges is the contract between guests and what a host lets them do.
//
// A Bridge is a capability: a set of functions which guests find under global names, with
// their parameters, limits, and what a host has to set to grant it. The capabilities that
// ship (fetch, workspace, secrets and so on, one package each) and those of an embedder
// are declared in the same way:
//
//	var crm = &bridges.Bridge{
//		Name: "crm",
//		Doc:  "customer records",
//		Funcs: []bridges.Func{{
//			Name: "crm.find", Result: "the customer",
//			Params: []bridges.Param{{Name: "id", Type: bridges.String}},
//			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
//				return c.State.(*CRM).Find(ctx, c.Str(0))
//			},
//		}},
//	}
//
//	box, err := quicksand.New(quicksand.Config{Bridges: []*bridges.Bridge{crm}})
//	res, err := box.Run(ctx, `return await crm.find("c-17")`, quicksand.Options{
//		Grants: []bridges.Grant{{Bridge: crm, Value: theCRM}},
//	})
//
// The globals of a bridge exist in every run. Without a grant each call fails with an
// error that names what the host has to set.
//
// # A call
//
// Each call goes through the same steps: has the run ended? is the bridge granted? do the
// arguments fit the parameters? – all before Func.Call, which counts against limits,
// checks the policy, works under the context, and returns a Go value or an error. An
// asynchronous call starts when the guest makes it, not when it awaits; at most
// Bridge.Concurrency calls of one bridge work at a time, the rest wait in their order.
// The context of a call ends with the run, and a Call has to return soon after that.
//
// # Errors
//
// An *Error crosses with name, message, code and cause; the guest's own call site is its
// stack. Of any other error the text crosses, so wrap what comes from below in an *Error
// that says no more than the guest may know.
//
// # Secrets
//
// A bridge that gives a guest a secret tells the session's Redactor before (Redactor.Add),
// one that uses a secret behind the guest's back too (Redactor.AddInjected). What leaves
// the run as text shows neither, and what leaves it as a value not the latter. Errors of a
// call may quote what the guest gave: they are redacted on their way out.
package bridges
