// A sales report: totals, regions, months, products, channels, discounts, outliers.
//
//   quicksand run examples/sales-report.js --inputs @testdata/sales.json
//
// inputs is the array of orders, or an object with the array as rows.

const rows = Array.isArray(inputs) ? inputs : inputs.rows;
if (!Array.isArray(rows) || rows.length === 0) throw new TypeError("inputs must be an array of orders, or { rows }");

// Money is counted in whole cents: sums of fractions would drift. The net amount of an
// order is rounded once, half away from zero, as an invoice does it.
const cents = (amount) => Math.round(amount * 100);
const money = (n) => n / 100;
const share = (part, whole) => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);

const orders = rows.map((r) => {
  const gross = cents(r.unitPrice) * r.quantity;
  // The discount in whole percent keeps the product an exact integer.
  const net = Math.round((gross * (100 - Math.round(r.discount * 100))) / 100);
  return { ...r, gross, net, month: r.date.slice(0, 7) };
});

const sum = (list, key) => list.reduce((total, o) => total + o[key], 0);
const total = sum(orders, "net");
const byNet = (a, b) => b.net - a.net || (a.name < b.name ? -1 : 1);

// summarize groups orders by a key: one line for each group.
const summarize = (key) =>
  Object.entries(Object.groupBy(orders, (o) => o[key])).map(([name, list]) => ({ name, list, net: sum(list, "net") }));

const lines = (key) =>
  summarize(key)
    .sort(byNet)
    .map(({ name, list, net }) => ({
      [key]: name,
      orders: list.length,
      revenue: money(net),
      share: share(net, total),
    }));

// Months in order, each with its growth over the month before, in percent.
const months = summarize("month")
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .map(({ name, list, net }, i, all) => ({
    month: name,
    orders: list.length,
    revenue: money(net),
    growth: i === 0 ? null : share(net - all[i - 1].net, all[i - 1].net),
  }));

const regionsByMonth = Object.fromEntries(
  summarize("region")
    .sort(byNet)
    .map(({ name, list }) => [
      name,
      Object.fromEntries(
        Object.entries(Object.groupBy(list, (o) => o.month))
          .sort()
          .map(([month, l]) => [month, money(sum(l, "net"))]),
      ),
    ]),
);

const topProducts = summarize("product")
  .sort(byNet)
  .slice(0, 5)
  .map(({ name, list, net }) => ({
    product: name,
    units: sum(list, "quantity"),
    revenue: money(net),
    averagePrice: money(Math.round(net / sum(list, "quantity"))),
  }));

// What discounts cost, and whether they come with larger orders.
const discounts = summarize("discount")
  .sort((a, b) => a.name - b.name)
  .map(({ name, list, net }) => ({
    discount: Number(name),
    orders: list.length,
    averageQuantity: Math.round((sum(list, "quantity") / list.length) * 100) / 100,
    revenue: money(net),
    given: money(sum(list, "gross") - net),
  }));

// Outliers lie beyond the outer fence of the amounts of all orders, the third quartile
// plus three times the distance of the quartiles.
const sorted = orders.map((o) => o.net).sort((a, b) => a - b);
const quantile = (q) => {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low);
};
const fence = quantile(0.75) + 3 * (quantile(0.75) - quantile(0.25));
const beyond = orders.filter((o) => o.net > fence).sort((a, b) => b.net - a.net || (a.id < b.id ? -1 : 1));

console.log(`${orders.length} orders from ${months[0].month} to ${months.at(-1).month}`);
if (beyond.length > 0) console.warn(`${beyond.length} orders are outliers, above ${money(Math.round(fence))}`);

return {
  summary: {
    orders: orders.length,
    units: sum(orders, "quantity"),
    revenue: money(total),
    discountsGiven: money(sum(orders, "gross") - total),
    averageOrder: money(Math.round(total / orders.length)),
    medianOrder: money(Math.round(quantile(0.5))),
  },
  regions: lines("region"),
  months,
  regionsByMonth,
  topProducts,
  channels: lines("channel"),
  discounts,
  outliers: {
    above: money(Math.round(fence)),
    orders: beyond.length,
    revenueShare: share(sum(beyond, "net"), total),
    largest: beyond.slice(0, 5).map((o) => ({ id: o.id, product: o.product, quantity: o.quantity, revenue: money(o.net) })),
  },
};
