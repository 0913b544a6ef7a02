// SRT becomes cues, and cues become WebVTT
import { parse, stringify } from "@nodetool-ai/sandbox-subtitle";
const cues = await parse("1\n00:00:01,000 --> 00:00:02,500\nA\nB\n\n2\n01:00:00,000 --> 01:00:01,001\nC\n");
return [cues, await stringify(cues.slice(0, 1), { format: "WebVTT" })]; //= [[{"start":1000,"end":2500,"text":"A\nB"},{"start":3600000,"end":3601001,"text":"C"}], "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nA\nB\n"]
---
// a WebVTT file with all that it has comes back
import subtitle from "@nodetool-ai/sandbox-subtitle";
const text = "WEBVTT Film\n\nSTYLE\n::cue { color: red }\n\nintro\n00:00:01.000 --> 00:00:02.000 line:0\n<b>x</b>\n";
const f = await subtitle.inspect(text);
return [await subtitle.stringify(f.cues, f) === text, await subtitle.parse(text)]; //= [true, [{"start":1000,"end":2000,"text":"<b>x</b>"}]]
---
import { parse } from "@nodetool-ai/sandbox-subtitle";
await parse("1\nhello"); //! Error "subtitle.parse: row 2: expected the times of a cue, like 00:00:01,000 --> 00:00:02,500, not \"hello\""
---
import { stringify } from "@nodetool-ai/sandbox-subtitle";
await stringify([{ start: NaN, end: 1, text: "" }]); //! RangeError "subtitle.stringify: cues[0].start is NaN, not between 0 and 3599996400000 milliseconds"
