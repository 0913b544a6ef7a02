// A report of the orders in a zip of CSV files: report.xlsx with a sheet for each branch, and
// report.md with the same in words. Libraries are imports: those with the prefix
// @nodetool-ai/sandbox- come with quicksand, the others are in the folder of --packs.
//
//   go run ./examples/orders /tmp/report
//   quicksand run examples/report.js --workspace /tmp/report --packs testdata/packs

import { unzip } from "@nodetool-ai/sandbox-zip";
import { parse as parseCSV } from "@nodetool-ai/sandbox-csv";
import { write as writeXLSX } from "@nodetool-ai/sandbox-xlsx";
import { marked } from "@nodetool-ai/sandbox-markdown";
import { format, getQuarter, parseISO } from "@nodetool-ai/sandbox-dates";
import { load } from "@nodetool-ai/sandbox-yaml";
import { haversine } from "@acme/geo"; // a package of JavaScript
import { gcd } from "@acme/wasm-numbers"; // a module of WebAssembly

const files = await unzip(await workspace.readBytes("orders.zip"));
const text = (name) => new TextDecoder().decode(files[name]);
const settings = load(text("settings.yaml"));

const orders = [];
for (const name of Object.keys(files).filter((n) => n.endsWith(".csv")).sort()) {
  for (const row of await parseCSV(text(name))) {
    const quantity = Number(row.quantity), price = Number(row.price), date = parseISO(row.date);
    orders.push({ order: Number(row.order), branch: name.split("/")[0], date, quarter: getQuarter(date), product: row.product, quantity, price, total: quantity * price });
  }
}

const sum = (list) => list.reduce((n, o) => n + o.total, 0);
const euros = new Intl.NumberFormat("en", { style: "currency", currency: settings.currency });
const money = (n) => euros.format(n);
const branches = await Promise.all(settings.branches.map(async (b) => {
  const list = orders.filter((o) => o.branch === b.name);
  // Boxes that fit every order of the branch hold as many pieces as divide all quantities.
  let box = 0n;
  for (const q of new Set(list.map((o) => o.quantity))) box = await gcd(box, BigInt(q));
  return { ...b, list, total: sum(list), target: settings.targets[b.name], box: Number(box), distance: haversine(b.latitude, settings.warehouse) };
}));

const book = await writeXLSX(branches.map((b) => ({
  name: b.city,
  rows: b.list.map(({ branch, quarter, ...o }, i) => ({ ...o, total: { formula: `D${i + 2}*E${i + 2}`, result: o.total } })),
  columns: ["order", { key: "date", numberFormat: "yyyy-mm-dd", width: 12 }, "product", "quantity", { key: "price", numberFormat: "#,##0.00" }, { key: "total", numberFormat: "#,##0.00" }],
  styles: [{ range: "A1:F1", bold: true, background: "#DDEBF7" }],
  freezeHeader: true,
})));
await workspace.writeBytes("report.xlsx", book);

const best = Object.entries(Object.groupBy(orders, (o) => o.product)).map(([product, list]) => ({ product, total: sum(list) })).sort((a, b) => b.total - a.total)[0];
const last = orders.reduce((a, b) => (b.date > a.date ? b : a));
const report = `# ${settings.title}

${orders.length} orders for **${money(sum(orders))}**; the last is of ${format(last.date, "EEEE, d MMMM yyyy")}. Most was sold of *${best.product}*: ${money(best.total)}.

| branch | orders | Q1 | Q2 | Q3 | Q4 | total | of target | km to the warehouse | box |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${branches.map((b) => `| ${b.city} | ${b.list.length} | ${[1, 2, 3, 4].map((q) => money(sum(b.list.filter((o) => o.quarter === q)))).join(" | ")} | ${money(b.total)} | ${Math.round((100 * b.total) / b.target)} % | ${b.distance.toFixed(0)} | ${b.box} |`).join("\n")}
`;
await workspace.write("report.md", report);
await workspace.write("report.html", marked.parse(report));

return { orders: orders.length, total: Math.round(sum(orders) * 100) / 100, branches: Object.fromEntries(branches.map((b) => [b.city, Math.round(b.total * 100) / 100])), boxes: branches.map((b) => b.box), xlsx: book.length };
