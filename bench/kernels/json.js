const rows = [];
for (let i = 0; i < 500; i++) rows.push({ id: i, name: "item " + i, price: i * 0.25, tags: ["a", "b", String(i % 7)], nested: { ok: i % 2 === 0, at: null } });
let n = 0;
for (let k = 0; k < 10; k++) {
  const text = JSON.stringify(rows);
  n += text.length + JSON.parse(text).length;
}
return n;
