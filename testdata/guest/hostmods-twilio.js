// a message is a form
import { request } from "@nodetool-ai/sandbox-twilio";
return await request({ accountSid: "AC1", authToken: "t", path: "Messages.json", method: "POST", params: { To: "+1555", Body: "a b" } }); //= {"url":"https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json","method":"POST","headers":{"Authorization":"Basic QUMxOnQ=","Content-Type":"application/x-www-form-urlencoded"},"body":"To=%2B1555&Body=a+b"}
---
// credentials go to hosts of Twilio alone
import twilio from "@nodetool-ai/sandbox-twilio";
const to = (o) => twilio.request({ accountSid: "AC1", authToken: "secret", path: "x", ...o }).then((r) => new URL(r.url).host, (e) => e.message.includes("secret"));
return await Promise.all([to({ host: "verify.twilio.com" }), to({ host: "twilio.com.evil.com" }), to({ path: "//evil.com/x" }), to({ path: "/\\evil.com" }), to({ path: "https://evil.com" }), to({ path: "../../../x" })]); //= ["verify.twilio.com",false,false,false,false,false]
---
import { request } from "@nodetool-ai/sandbox-twilio";
await request({ accountSid: "AC1", path: "Messages.json" }); //! TypeError "twilio.request: options.accountSid and options.authToken must be given"
