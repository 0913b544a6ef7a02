// An invoice run: reads invoices from the workspace, asks a service for exchange rates, signs
// each invoice, writes amounts and dates as its customer does, and streams the results out.
//
//   go run ./examples/rates &
//   quicksand run examples/invoice-run.js --workspace testdata/invoices --read-only \
//     --allow-net 127.0.0.1:8787 --allow-private-network --secret INVOICE_KEY=example \
//     --inputs '{"rates":"http://127.0.0.1:8787"}'

// The rows of a CSV text as objects; a field may stand in quotes.
function parse(text) {
  const [head, ...lines] = text.trim().split("\n").map((line) =>
    Array.from(line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g), (m) => m[1].replace(/^"|"$/g, "").replaceAll('""', '"')));
  return lines.map((fields) => Object.fromEntries(head.map((name, i) => [name, fields[i]])));
}

const invoices = parse(await workspace.read("invoices.csv"));
const currencies = [...new Set(invoices.map((v) => v.currency))].sort();
console.log("%d invoices in %d currencies", invoices.length, currencies.length);

// All rates at one time: five answers that take 150 ms each are there after 150 ms.
const started = Date.now();
const rates = Object.fromEntries(await Promise.all(currencies.map(async (currency) => {
  const r = await fetch(inputs.rates + "/rate/" + currency);
  if (!r.ok) throw new Error("no rate for " + currency + ": " + r.status);
  return [currency, (await r.json()).euros];
})));
console.log("rates are there");
const waited = Date.now() - started;

const key = await getSecret("INVOICE_KEY");
if (!key) throw new Error("the secret INVOICE_KEY is not set");

let total = 0;
const byLocale = {};
for (const [i, v] of invoices.entries()) {
  const digits = v.currency === "JPY" ? 0 : 2, factor = 10 ** digits;
  const gross = Math.round(Number(v.net) * (1 + Number(v.tax)) * factor) / factor;
  const issued = Date.parse(v.issued + "T00:00:00Z"), due = issued + Number(v.due) * 86400000;
  const text = [v.number, v.customer, v.currency, gross.toFixed(digits), v.issued].join("\n");
  total += gross * rates[v.currency];
  byLocale[v.locale] ??= {
    amount: await format.number(gross, { locale: v.locale, style: "currency", currency: v.currency }),
    due: await format.date(due, { locale: v.locale, dateStyle: "long", timeZone: "UTC" }),
  };
  await emit("invoice", {
    number: v.number,
    customer: v.customer,
    amount: new Intl.NumberFormat(v.locale, { style: "currency", currency: v.currency }).format(gross),
    issued: new Intl.DateTimeFormat(v.locale, { dateStyle: "medium", timeZone: "UTC" }).format(issued),
    due: new Intl.DateTimeFormat(v.locale, { dateStyle: "full", timeZone: "UTC" }).format(due),
    signature: toHex(await crypto.hmac("SHA-256", key, text)),
  });
  progress(((i + 1) / invoices.length) * 100, v.number);
}

return {
  invoices: invoices.length,
  inParallel: waited < 300,
  total: await format.number(total, { locale: "en-IE", style: "currency", currency: "EUR" }),
  examples: byLocale,
};
