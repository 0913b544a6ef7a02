// What a program can tell while it runs: console lines, progress, emitted values.
//
//   quicksand run examples/streaming.js

const pages = Array.from({ length: 8 }, (_, i) => i + 1);
console.info(`reading ${pages.length} pages, 3 at a time`);

let done = 0;
// parallelMap keeps the order of its results, whichever call ends first.
const sizes = await parallelMap(
  pages,
  async (page) => {
    await sleep(5 * (page % 3)); // stands for a slow request
    done++;
    progress((100 * done) / pages.length, `${done} of ${pages.length} pages`);
    return page * page;
  },
  { concurrency: 3 },
);

// emit resolves when the host has taken the value: a slow consumer slows the loop down.
for (const [i, size] of sizes.entries()) await emit("page", { page: pages[i], size });

console.warn("page", sizes.indexOf(Math.max(...sizes)) + 1, "is the largest");
await output("sizes", sizes);
return sizes.reduce((a, b) => a + b, 0);
