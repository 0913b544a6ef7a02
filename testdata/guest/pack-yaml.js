// default and named exports
import yaml, * as all from "@nodetool-ai/sandbox-yaml";
return [Object.keys(all).sort(), Object.keys(yaml).sort(), yaml.load === all.load]; //= [["CORE_SCHEMA","DEFAULT_SCHEMA","FAILSAFE_SCHEMA","JSON_SCHEMA","Schema","Type","YAMLException","default","dump","load","loadAll","safeDump","safeLoad","safeLoadAll","types"],["CORE_SCHEMA","DEFAULT_SCHEMA","FAILSAFE_SCHEMA","JSON_SCHEMA","Schema","Type","YAMLException","dump","load","loadAll","safeDump","safeLoad","safeLoadAll","types"],true]
---
import { load } from "@nodetool-ai/sandbox-yaml";
return load(`
name: app
ports: [80, 0x1bb]
env: &env { debug: yes, ratio: 1.5, none: ~ }
copy: *env
text: |
  two
  lines
folded: >-
  one
  line
date: 2026-03-04
merged: { <<: *env, extra: true }
? complex
: key
`); //= {"name":"app","ports":[80,443],"env":{"debug":"yes","ratio":1.5,"none":null},"copy":{"debug":"yes","ratio":1.5,"none":null},"text":"two\nlines\n","folded":"one line","date":"2026-03-04T00:00:00.000Z","merged":{"debug":"yes","ratio":1.5,"none":null,"extra":true},"complex":"key"}
---
// several documents, as an array or for a function
import { loadAll } from "@nodetool-ai/sandbox-yaml";
const seen = [];
loadAll("---\na: 1\n---\n- b\n", (d) => seen.push(d));
return [loadAll("1\n---\ntwo\n---\n"), seen]; //= [[1,"two",null],[{"a":1},["b"]]]
---
import { dump } from "@nodetool-ai/sandbox-yaml";
const shared = { x: 1 };
return [dump({ s: "a: b", n: null, list: [1, [2, 3]], text: "two\nlines\n", yes: "yes", num: "12", empty: {}, d: new Date(0) }), dump({ a: shared, b: shared }), dump({ a: shared, b: shared }, { noRefs: true, indent: 4 }), dump({ b: 1, a: 2 }, { sortKeys: true, flowLevel: 0 })]; //= ["s: 'a: b'\n'n': null\nlist:\n  - 1\n  - - 2\n    - 3\ntext: |\n  two\n  lines\n'yes': 'yes'\nnum: '12'\nempty: {}\nd: 1970-01-01T00:00:00.000Z\n","a: &ref_0\n  x: 1\nb: *ref_0\n","a:\n    x: 1\nb:\n    x: 1\n","{b: 1, a: 2}\n"]
---
// schemas decide what texts become
import { load, CORE_SCHEMA, FAILSAFE_SCHEMA, JSON_SCHEMA } from "@nodetool-ai/sandbox-yaml";
const text = "a: 2026-03-04\nb: 12\nc: true";
return [CORE_SCHEMA, FAILSAFE_SCHEMA, JSON_SCHEMA].map((schema) => load(text, { schema })); //= [{"a":"2026-03-04","b":12,"c":true},{"a":"2026-03-04","b":"12","c":"true"},{"a":"2026-03-04","b":12,"c":true}]
---
// types of one's own
import { load, Type, DEFAULT_SCHEMA } from "@nodetool-ai/sandbox-yaml";
const schema = DEFAULT_SCHEMA.extend(new Type("!sum", { kind: "sequence", construct: (list) => list.reduce((a, b) => a + b, 0) }));
return load("total: !sum [1, 2, 3]", { schema }); //= {"total":6}
---
// errors say where they are
import { load, YAMLException } from "@nodetool-ai/sandbox-yaml";
try {
  load("a: 1\nb: [1, 2\nc: 3");
} catch (e) {
  return [e instanceof YAMLException, e.name, e.reason, e.mark.line, e.mark.column]; //= [true,"YAMLException","missed comma between flow collection entries",2,0]
}
---
// keys that name a prototype stay data
import { load } from "@nodetool-ai/sandbox-yaml";
const v = load("__proto__: { polluted: true }\nconstructor: 1");
return [Object.keys(v), ({}).polluted === undefined]; //= [["__proto__","constructor"],true]
---
import { safeLoad } from "@nodetool-ai/sandbox-yaml";
return safeLoad("a"); //! Error "safeLoad is removed"
---
import { load } from "@nodetool-ai/sandbox-yaml";
return load("a: b: c"); //! YAMLException "bad indentation of a mapping entry"
---
import { load } from "@nodetool-ai/sandbox-yaml";
return load("a: 1\na: 2"); //! YAMLException "duplicated mapping key"
