// a request is what fetch takes
import { request } from "@nodetool-ai/sandbox-notion";
return await request({ token: "t", path: "databases/1/query", method: "post", body: { page_size: 5 } }); //= {"url":"https://api.notion.com/v1/databases/1/query","method":"POST","headers":{"Authorization":"Bearer t","Notion-Version":"2022-06-28","Content-Type":"application/json"},"body":"{\"page_size\":5}"}
---
// a path that leads elsewhere is refused, without the token in the error
import { request } from "@nodetool-ai/sandbox-notion";
return await request({ token: "secret", path: "//other.host/x" }).catch((e) => [e.name, e.message]); //= ["TypeError","notion.request: path must be a path of https://api.notion.com, not an address"]
---
// blocks are Markdown
import notion from "@nodetool-ai/sandbox-notion";
const text = (s) => ({ rich_text: [{ plain_text: s }] });
return [await notion.toMarkdown([{ type: "heading_2", heading_2: text("Hi") }, { type: "to_do", to_do: { ...text("do"), checked: true } }]), await notion.plainText([{ text: { content: "a" } }])]; //= ["## Hi\n\n- [x] do","a"]
---
// secrets stay in the request and out of the logs
//@secrets {"NOTION": "tok-123456"}
//@logs ["{\"Authorization\":\"Bearer [redacted NOTION]\",\"Notion-Version\":\"2022-06-28\"}"]
import { request } from "@nodetool-ai/sandbox-notion";
const req = await request({ token: await getSecret("NOTION"), path: "users/me" });
console.log(JSON.stringify(req.headers));
return req.headers.Authorization.length; //= 17
