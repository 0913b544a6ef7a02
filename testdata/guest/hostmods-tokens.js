// four encodings
import { encode, count, decode } from "@nodetool-ai/sandbox-tokens";
const text = "hello world, sandbox 日本";
return [await encode(text), await encode(text, "o200k_base"), await encode(text, "p50k_base"), await count(text, "r50k_base"), await decode(await encode(text, "r50k_base"), "r50k_base") === text]; //= [[15339,1917,11,43854,76502,22656], [24912,2375,11,91789,17428], [31373,995,11,35204,10545,245,98,17312,105], 9, true]
---
// a text is cut, and control tokens in it are text
import tokens from "@nodetool-ai/sandbox-tokens";
return [await tokens.truncate("hello world, sandbox", 2), await tokens.count("<|endoftext|>"), await tokens.decode([15339, 4000000]), await tokens.encodings()]; //= ["hello world", 7, "hello", ["cl100k_base","p50k_base","r50k_base","o200k_base"]]
---
import { count } from "@nodetool-ai/sandbox-tokens";
await count("x", "gpt2"); //! TypeError "tokens.count: there is no encoding \"gpt2\", only cl100k_base, p50k_base, r50k_base, o200k_base"
---
import { decode } from "@nodetool-ai/sandbox-tokens";
await decode([1, -1]); //! TypeError "tokens.decode: ids[1] is -1, not a whole number of at least 0"
