// rows of a table
import { from } from "@nodetool-ai/sandbox-supabase";
return await from({ url: "https://abc.supabase.co", key: "k", table: "orders", select: ["id", "total"], filters: { status: "eq.open", total: { gte: 100, lt: 200 } }, order: "total.desc", limit: 10 }); //= {"url":"https://abc.supabase.co/rest/v1/orders?select=id%2Ctotal&status=eq.open&total=gte.100&total=lt.200&order=total.desc&limit=10","method":"GET","headers":{"apikey":"k","Authorization":"Bearer k","Prefer":"return=representation"}}
---
// a function
import supabase from "@nodetool-ai/sandbox-supabase";
const r = await supabase.rpc({ url: "https://abc.supabase.co/", key: "k", fn: "add", args: { a: 1, b: [2] } });
return [r.url, r.method, r.body]; //= ["https://abc.supabase.co/rest/v1/rpc/add","POST","{\"a\":1,\"b\":[2]}"]
---
import { from } from "@nodetool-ai/sandbox-supabase";
await from({ url: "abc.supabase.co", key: "k", table: "orders" }); //! TypeError "supabase.from: options.url must be the address of a project"
