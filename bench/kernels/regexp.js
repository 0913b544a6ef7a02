let text = "";
for (let i = 0; i < 1000; i++) text += "On 2026-0" + (1 + i % 9) + "-1" + (i % 10) + " user" + i + "@example.org paid $" + (i * 3) + ".50 for item #" + i + "\n";
let n = 0;
for (const m of text.matchAll(/(\d{4})-(\d\d)-(\d\d)/g)) n += Number(m[3]);
n += text.replace(/[\w.]+@[\w.]+/g, (a) => a.toUpperCase()).length;
n += (text.match(/\$(\d+)\.\d\d/g) || []).length;
return n + text.split(/\s+/).length;
