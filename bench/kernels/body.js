const orders = [];
for (let i = 0; i < 20; i++) orders.push({ id: i, customer: "c" + (i % 5), items: [{ sku: "a", price: 2.5, count: i % 3 }, { sku: "b", price: 1.25, count: 2 }] });

function total(order) {
  let sum = 0;
  for (const { price, count } of order.items) sum += price * count;
  return sum;
}

const byCustomer = new Map();
for (const o of orders) {
  const list = byCustomer.get(o.customer) ?? [];
  list.push(o);
  byCustomer.set(o.customer, list);
}

class Report {
  #lines = [];
  add(name, value) {
    this.#lines.push(`${name}: ${value.toFixed(2)}`);
    return this;
  }
  toString() {
    return this.#lines.join("\n");
  }
}

const report = new Report();
for (const [name, list] of byCustomer) {
  const sums = list.map(total).sort((a, b) => b - a);
  report.add(name, sums.reduce((a, b) => a + b, 0));
}

const words = String(report).split(/\s+/).filter((w) => w.length > 2);
const counts = Object.fromEntries(words.map((w) => [w, w.length]));
if (Object.keys(counts).length === 0) throw new Error("nothing was counted");
return JSON.stringify(counts).length + [...String(report)].length;
