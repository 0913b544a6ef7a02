// Hashes, signatures and random values that --seed makes reproducible.
//
//   quicksand run examples/signature.js --seed 7 --now 2026-01-31

const payload = JSON.stringify({ order: "SO-100000", at: new Date().toISOString() });
const digest = await crypto.digest("sha256", payload);
const mac = await crypto.hmac("sha256", "not a real key", payload);

return {
  payload,
  digest: toHex(digest),
  mac: toBase64(mac),
  same: crypto.timingSafeEqual(mac, await crypto.hmac("sha256", "not a real key", payload)),
  id: crypto.randomUUID(),
};
