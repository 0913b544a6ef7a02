import { createTwoFilesPatch, structuredPatch, diffLines, diffWordsWithSpace, diffChars, diffArrays, applyPatch, parsePatch } from "diff";
import { exported, text, bag, number, refuse } from "../facade/checks.js";

const standardEdits = 20_000;

// options are those of all comparisons: how many edits may lie between two texts, since the
// work grows with their square.
function options(o) {
  o = bag(o);
  const edits = number(o.maxEdits, standardEdits, "maxEdits", 0, 1_000_000);
  return { maxEditLength: edits, ignoreCase: o.ignoreCase === true, ignoreWhitespace: o.ignoreWhitespace === true, stripTrailingCr: o.ignoreCarriageReturns === true };
}

const found = (result, o) => result === undefined ? refuse(`the texts differ in more than ${o.maxEditLength} edits, the limit maxEdits`) : result;

const context = (o) => {
  const n = Math.floor(Number(bag(o).context ?? 3));
  return Number.isNaN(n) ? 3 : Math.min(Math.max(n, 0), 100);
};

const fileName = (v, standard) => v === undefined || v === null ? standard : text(String(v), "a name");

export const unified = exported("diff", "unified", (a, b, o) => {
  const { oldName, newName } = bag(o), all = { ...options(o), context: context(o) };
  return found(createTwoFilesPatch(fileName(oldName, "a"), fileName(newName, "b"), text(a, "the first text"), text(b, "the second text"), undefined, undefined, all), all);
});

// hunks are those of unified as data.
export const hunks = exported("diff", "hunks", (a, b, o) => {
  const all = { ...options(o), context: context(o) };
  return found(structuredPatch("a", "b", text(a, "the first text"), text(b, "the second text"), undefined, undefined, all), all)
    .hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({ oldStart, oldLines, newStart, newLines, lines }));
});

const parts = (name, compare) => exported("diff", name, (a, b, o) => {
  const all = options(o);
  return found(compare(text(a, "the first text"), text(b, "the second text"), all), all)
    .map(({ value, added, removed }) => ({ kind: added ? "added" : removed ? "removed" : "same", value }));
});

export const lines = parts("lines", diffLines);
export const words = parts("words", diffWordsWithSpace);
export const chars = parts("chars", diffChars);

// apply makes the second text of the first one and their unified diff.
export const apply = exported("diff", "apply", (a, patch, o) => {
  const { fuzz } = bag(o);
  const files = parsePatch(text(patch, "the patch"));
  if (files.length > 1) refuse(`the patch is about ${files.length} files, and a text is one`);
  const result = applyPatch(text(a), patch, { fuzzFactor: number(fuzz, 0, "fuzz", 0, 100) });
  return result === false ? refuse("the patch does not fit the text") : result;
});

// merge takes what two texts changed in a common ancestor into one text. Where both changed
// the same lines in different ways there is a conflict.
export const merge = exported("diff", "merge", (base, ours, theirs, o) => {
  const all = options(o), { oursName = "ours", theirsName = "theirs" } = bag(o);
  const split = (s) => s.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const old = split(text(base, "the base")), left = changes(old, split(text(ours, "our text")), all), right = changes(old, split(text(theirs, "their text")), all);
  const out = [];
  let at = 0, conflicts = 0;
  while (left.length || right.length) {
    // A region is the changes of both sides that touch each other.
    const start = Math.min(left[0]?.start ?? Infinity, right[0]?.start ?? Infinity);
    let end = start, l = [], r = [];
    for (let grew = true; grew;) {
      grew = false;
      for (const [side, taken] of [[left, l], [right, r]]) {
        while (side.length && (side[0].start < end || side[0].start === start && side[0].start <= end)) {
          end = Math.max(end, side[0].end);
          taken.push(side.shift());
          grew = true;
        }
      }
    }
    out.push(...old.slice(at, start));
    const side = (taken) => {
      const result = [];
      let from = start;
      for (const c of taken) {
        result.push(...old.slice(from, c.start), ...c.lines);
        from = c.end;
      }
      return [...result, ...old.slice(from, end)].join("");
    };
    const mine = side(l), other = side(r), was = old.slice(start, end).join("");
    if (mine === other || other === was) out.push(mine);
    else if (mine === was) out.push(other);
    else {
      conflicts++;
      const closed = (s) => s === "" || s.endsWith("\n") ? s : s + "\n";
      out.push(`<<<<<<< ${oursName}\n${closed(mine)}=======\n${closed(other)}>>>>>>> ${theirsName}\n`);
    }
    at = end;
  }
  out.push(...old.slice(at));
  return { text: out.join(""), conflicts };
});

// changes are the parts of a list that another one replaces: lines in the place of [start, end).
function changes(from, to, o) {
  const result = [];
  let at = 0, open = null;
  for (const part of found(diffArrays(from, to, o), o)) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      open = null;
      continue;
    }
    if (!open) result.push(open = { start: at, end: at, lines: [] });
    if (part.added) open.lines.push(...part.value);
    else open.end = at += part.value.length;
  }
  return result;
}

export default { unified, hunks, lines, words, chars, apply, merge };
