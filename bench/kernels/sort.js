let seed = 12345;
const next = () => seed = (seed * 1103515245 + 12345) % 2147483648;
const list = [];
for (let i = 0; i < 50000; i++) list.push(next());
list.sort((a, b) => a - b);
return list[0] + list[25000] + list[49999];
