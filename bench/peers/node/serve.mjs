// serve answers requests of package node, one line of JSON each, until there are no more:
// requests has a function for each value of "do".
import { createInterface } from "node:readline";

export async function serve(requests) {
  for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
      const r = JSON.parse(line);
      answer = { ok: (await requests[r.do](r)) ?? null };
    } catch (e) {
      answer = { error: String(e?.message ?? e) };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
}
