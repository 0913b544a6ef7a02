import diff, * as all from "@nodetool-ai/sandbox-diff";
return [Object.keys(all).sort(), Object.keys(diff).sort(), diff.unified === all.unified, diff.unified("a", "b") instanceof Promise]; //= [["apply","chars","default","hunks","lines","merge","unified","words"],["apply","chars","hunks","lines","merge","unified","words"],true,true]
---
// a line without an end is marked
import { unified } from "@nodetool-ai/sandbox-diff";
return await unified("l1\nl2\nl3\n", "l1\nL2\nl3\nl4"); //= "===================================================================\n--- a\n+++ b\n@@ -1,3 +1,4 @@\n l1\n-l2\n+L2\n l3\n+l4\n\\ No newline at end of file\n"
---
// the length of a hunk is always there
import { unified } from "@nodetool-ai/sandbox-diff";
return (await unified("", "x\n")).includes("@@ -0,0 +1,1 @@"); //= true
---
// equal texts have the header alone
import { unified } from "@nodetool-ai/sandbox-diff";
return await unified("same\n", "same\n", { oldName: "x.txt", newName: "y.txt" }); //= "===================================================================\n--- x.txt\n+++ y.txt\n"
---
// the context is a whole number from 0 to 100
import { unified } from "@nodetool-ai/sandbox-diff";
const a = Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join(""), b = a.replace("line 150\n", "changed\n");
const count = async (context) => (await unified(a, b, { context })).split("\n").length - 5;
return [await count(undefined), await count(0), await count(1.9), await count(-5), await count(1000), await count("no"), (await unified(a, b, [1])).length === (await unified(a, b)).length]; //= [8, 2, 4, 2, 202, 8, true]
---
// hunks as data, and the parts of texts
import { hunks, lines, words, chars } from "@nodetool-ai/sandbox-diff";
return [await hunks("a\nb\nc\n", "a\nB\nc\n"), await hunks("a", "a"), await lines("a\nb\n", "a\nc\n"), await words("the quick fox", "the slow fox"), await chars("abc", "axc"), await words("Hello", "hello", { ignoreCase: true })]; //= [[{"oldStart":1,"oldLines":3,"newStart":1,"newLines":3,"lines":[" a","-b","+B"," c"]}],[],[{"kind":"same","value":"a\n"},{"kind":"removed","value":"b\n"},{"kind":"added","value":"c\n"}],[{"kind":"same","value":"the "},{"kind":"removed","value":"quick"},{"kind":"added","value":"slow"},{"kind":"same","value":" fox"}],[{"kind":"same","value":"a"},{"kind":"removed","value":"b"},{"kind":"added","value":"x"},{"kind":"same","value":"c"}],[{"kind":"same","value":"hello"}]]
---
// a patch makes the second text of the first
import { unified, apply } from "@nodetool-ai/sandbox-diff";
const pairs = [["a\nb\nc\n", "a\nc\nd\n"], ["", "new\n"], ["old", ""], ["x\n".repeat(50), "x\n".repeat(20) + "y\n" + "x\n".repeat(30)], ["same", "same"]];
return await Promise.all(pairs.map(async ([a, b]) => (await apply(a, await unified(a, b))) === b)); //= [true, true, true, true, true]
---
import { apply } from "@nodetool-ai/sandbox-diff";
return await apply("other\n", "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-a\n+b\n"); //! Error "diff.apply: the patch does not fit the text"
---
// three-way merges take what either side changed
import { merge } from "@nodetool-ai/sandbox-diff";
const base = "a\nb\nc\nd\ne\n";
return [await merge(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"), await merge(base, "a\nc\nd\ne\n", "a\nb\nc\nd\ne\nf\n"), await merge(base, "a\nX\nc\nd\ne\n", "a\nX\nc\nd\ne\n"), await merge(base, base, ""), await merge("", "x\n", "x\n")]; //= [{"text":"A\nb\nc\nd\nE\n","conflicts":0},{"text":"a\nc\nd\ne\nf\n","conflicts":0},{"text":"a\nX\nc\nd\ne\n","conflicts":0},{"text":"","conflicts":0},{"text":"x\n","conflicts":0}]
---
// what both changed in different ways is a conflict
import { merge } from "@nodetool-ai/sandbox-diff";
return [await merge("a\nb\nc\n", "a\nmine\nc\n", "a\nyours\nc\n", { oursName: "HEAD", theirsName: "branch" }), await merge("a\n", "x\na\n", "y\na\n"), await merge("a", "b", "c")]; //= [{"text":"a\n<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> branch\nc\n","conflicts":1},{"text":"<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\na\n","conflicts":1},{"text":"<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n","conflicts":1}]
---
import { unified } from "@nodetool-ai/sandbox-diff";
return await unified("a", 5); //! Error "diff.unified: the second text must be a string, got a number"
---
import { unified } from "@nodetool-ai/sandbox-diff";
return await unified("x".repeat(5242881), ""); //! Error "diff.unified: the first text of 5242881 characters is more than the limit of 5242880"
---
import { unified } from "@nodetool-ai/sandbox-diff";
return await unified("a\nb\nc\nd\n", "d\nc\nb\na\n", { maxEdits: 3 }); //! Error "diff.unified: the texts differ in more than 3 edits, the limit maxEdits"
---
// texts without a common line are compared at once, and all forms agree on where they differ
import { unified, hunks, apply } from "@nodetool-ai/sandbox-diff";
const lines = (n, f) => Array.from({ length: n }, (_, i) => f(i) + "\n").join("");
const a = lines(9000, (i) => i % 100 ? `old ${i}` : `same ${i}`), b = lines(9000, (i) => i % 100 ? `new ${i}` : `same ${i}`) + "end";
const patch = await unified(a, b), list = await hunks(a, b, { context: 0 });
return [(await apply(a, patch)) === b, list.length, list[0], list.at(-1).lines.slice(-2), (await apply(a, await unified(a, b, { context: 0 }))) === b].map((x) => x.lines ? { ...x, lines: x.lines.length } : x); //= [true, 90, {"oldStart": 2, "oldLines": 99, "newStart": 2, "newLines": 99, "lines": 198}, ["+end", "\\ No newline at end of file"], true]
---
// both ways of comparing make the same hunks
import { hunks } from "@nodetool-ai/sandbox-diff";
const pairs = [["a\nb\nc\n", "a\nB\nc\n"], ["", "x\n"], ["x\n", ""], ["a", "b"], ["a\nb", "a\nb\n"], ["1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\ny\n"], ["a\nb\nc\n", "c\n"], ["q\n".repeat(9) + "z", "q\n".repeat(9) + "z\n"]];
const same = [];
for (const [a, b] of pairs) {
  // What forces the second way: texts that differ in much more, far away.
  const far = "-\n".repeat(20), tail = (c) => far + Array.from({ length: 600 }, (_, i) => c + i + "\n").join("");
  if (!a.endsWith("\n") || !b.endsWith("\n")) continue;
  const quick = await hunks(a + far, b + far), slow = (await hunks(a + tail("x"), b + tail("y"))).slice(0, -1);
  same.push(JSON.stringify(quick) === JSON.stringify(slow));
}
return same; //= [true, true, true]
