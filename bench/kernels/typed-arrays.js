const n = 64, a = new Float64Array(n * n), b = new Float64Array(n * n), c = new Float64Array(n * n);
for (let i = 0; i < n * n; i++) { a[i] = i % 13; b[i] = i % 7; }
for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) {
  let s = 0;
  for (let k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = s;
}
let sum = 0;
for (let i = 0; i < n * n; i++) sum += c[i];
return sum;
