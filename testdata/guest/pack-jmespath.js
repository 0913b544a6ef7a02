// the default export has the functions that are exports of their own
import jmespath, * as all from "@nodetool-ai/sandbox-jmespath";
return [Object.keys(all).sort(), Object.keys(jmespath).sort(), jmespath.search === all.search]; //= [["compile","default","search","strictDeepEqual","tokenize"],["compile","search","strictDeepEqual","tokenize"],true]
---
import jmespath from "@nodetool-ai/sandbox-jmespath";
const data = { people: [{ name: "Ann", age: 31, tags: ["a", "b"] }, { name: "Bob", age: 17, tags: [] }, { name: "Cy", age: 40, tags: ["b"] }], "odd key": { deep: [[1, 2], [3]] }, n: null };
return ["people[*].name", "people[?age > `18`].name | [0]", "people[?contains(tags, 'b')].{n: name, t: tags[0]}", "sort_by(people, &age)[-1].name", "length(people)", "sum(people[].age)", "\"odd key\".deep[]", "join('-', people[].name)", "max_by(people, &age).name", "people[::2].name", "n.x", "missing", "people[?tags].name", "to_string(people[0].age)", "not_null(n, people[1].name)", "keys(@)", "avg(people[].age)", "merge({a: `1`}, {b: `2`})", "map(&age, people)", "reverse(people[].name)", "people[0].age == `31` && !n"].map((e) => jmespath.search(data, e)); //= [["Ann","Bob","Cy"],"Ann",[{"n":"Ann","t":"a"},{"n":"Cy","t":"b"}],"Cy",3,88,[1,2,3],"Ann-Bob-Cy","Cy",["Ann","Cy"],null,null,["Ann","Cy"],"31","Bob",["people","odd key","n"],29.333333333333332,{"a":1,"b":2},[31,17,40],["Cy","Bob","Ann"],true]
---
import { tokenize, compile, strictDeepEqual } from "@nodetool-ai/sandbox-jmespath";
return [tokenize("a.b[0]"), compile("a.b").type, strictDeepEqual({ a: [1] }, { a: [1] }), strictDeepEqual({ a: [1] }, { a: ["1"] })]; //= [[{"type":"UnquotedIdentifier","value":"a","start":0},{"type":"Dot","value":".","start":1},{"type":"UnquotedIdentifier","value":"b","start":2},{"type":"Lbracket","value":"[","start":3},{"type":"Number","value":0,"start":4},{"type":"Rbracket","value":"]","start":5}],"Subexpression",true,false]
---
import { search } from "@nodetool-ai/sandbox-jmespath";
return search({}, "a["); //! ParserError "Expected Star, got: EOF"
---
import { search } from "@nodetool-ai/sandbox-jmespath";
return search({ a: 1 }, "length(a)"); //! Error "TypeError: length() expected argument 1"
