import { formatPatch, structuredPatch, diffLines, diffWordsWithSpace, diffChars, diffArrays, applyPatch, parsePatch } from "diff";
import { exported, text, bag, number, refuse } from "../facade/checks.js";

// The work of a comparison grows with the square of the edits between two texts: the first
// number takes about a tenth of a second.
const quickEdits = 300;
const standardEdits = 3000;

// options are those of all comparisons.
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

// patch is what all forms of a comparison of lines come from. Of texts that differ in much,
// it compares only the lines that both have: the others are no part of what is common.
function patch(oldName, newName, a, b, o) {
  text(a, "the first text");
  text(b, "the second text");
  const all = options(o), before = context(o);
  const quick = structuredPatch(oldName, newName, a, b, undefined, undefined, { ...all, maxEditLength: Math.min(all.maxEditLength, quickEdits), context: before });
  return quick ?? { oldFileName: oldName, newFileName: newName, hunks: grouped(split(a), changes(split(a), split(b), all), before) };
}

export const unified = exported("diff", "unified", (a, b, o) => {
  const { oldName, newName } = bag(o);
  return formatPatch(patch(fileName(oldName, "a"), fileName(newName, "b"), a, b, o), { includeIndex: false, includeUnderline: true, includeFileHeaders: true });
});

// hunks are those of unified as data.
export const hunks = exported("diff", "hunks", (a, b, o) => patch("a", "b", a, b, o).hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({ oldStart, oldLines, newStart, newLines, lines })));

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

// split cuts a text into lines with their ends.
function split(s) {
  return s.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

// changes are the parts of a list of lines that another one replaces: lines in the place of
// [start, end), which are at the index to of the other.
function changes(from, to, o) {
  const key = (line) => {
    if (o.stripTrailingCr) line = line.replace(/\r\n$/, "\n");
    if (o.ignoreWhitespace) line = line.trim();
    return o.ignoreCase ? line.toLowerCase() : line;
  };
  const left = from.map(key), right = to.map(key), inLeft = new Set(left), inRight = new Set(right);
  const a = [...left.keys()].filter((i) => inRight.has(left[i])), b = [...right.keys()].filter((j) => inLeft.has(right[j]));
  const result = [];
  let i = 0, j = 0, at = 0, other = 0;
  const upTo = (end, otherEnd) => {
    if (at < end || other < otherEnd) result.push({ start: at, end, lines: to.slice(other, otherEnd), to: other });
    at = end + 1;
    other = otherEnd + 1;
  };
  for (const part of found(diffArrays(a.map((n) => left[n]), b.map((n) => right[n]), { maxEditLength: o.maxEditLength }), o)) {
    if (part.added) j += part.value.length;
    else if (part.removed) i += part.value.length;
    else for (let n = part.value.length; n > 0; n--) upTo(a[i++], b[j++]);
  }
  upTo(from.length, to.length);
  return result;
}

// grouped makes hunks of changes, with lines around them.
function grouped(old, all, around) {
  const hunks = [];
  for (let first = 0; first < all.length;) {
    let last = first;
    while (last + 1 < all.length && all[last + 1].start - all[last].end <= 2 * around) last++;
    const start = Math.max(0, all[first].start - around), end = Math.min(old.length, all[last].end + around);
    const lines = [];
    const add = (sign, list) => list.forEach((line) => line.endsWith("\n") ? lines.push(sign + line.slice(0, -1)) : lines.push(sign + line, "\\ No newline at end of file"));
    let at = start, grown = 0;
    for (const c of all.slice(first, last + 1)) {
      add(" ", old.slice(at, c.start));
      add("-", old.slice(c.start, c.end));
      add("+", c.lines);
      at = c.end;
      grown += c.lines.length - (c.end - c.start);
    }
    add(" ", old.slice(at, end));
    const newStart = all[first].to - (all[first].start - start), oldLines = end - start, newLines = oldLines + grown;
    hunks.push({ oldStart: oldLines ? start + 1 : start, oldLines, newStart: newLines ? newStart + 1 : newStart, newLines, lines });
    first = last + 1;
  }
  return hunks;
}

export default { unified, hunks, lines, words, chars, apply, merge };
