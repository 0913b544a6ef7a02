import { refuse } from "./checks.js";

// imageType tells the format of a picture by its first bytes: png, jpg, gif, bmp or webp.
export function imageType(b) {
  const starts = (...magic) => magic.every((m, i) => b[i] === m);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return "png";
  if (starts(0xff, 0xd8)) return "jpg";
  if (starts(0x47, 0x49, 0x46, 0x38)) return "gif";
  if (starts(0x42, 0x4d)) return "bmp";
  if (starts(0x52, 0x49, 0x46, 0x46) && b[8] === 0x57) return "webp";
  return "";
}

// imageSize reads width and height in pixels from the header, or nothing.
export function imageSize(b) {
  const d = new DataView(b.buffer, b.byteOffset, b.byteLength);
  try {
    switch (imageType(b)) {
      case "png":
        return { width: d.getUint32(16), height: d.getUint32(20) };
      case "gif":
        return { width: d.getUint16(6, true), height: d.getUint16(8, true) };
      case "bmp":
        return { width: Math.abs(d.getInt32(18, true)), height: Math.abs(d.getInt32(22, true)) };
      case "jpg":
        for (let at = 2; at < b.length;) {
          const marker = d.getUint16(at);
          if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) return { width: d.getUint16(at + 7), height: d.getUint16(at + 5) };
          at += 2 + d.getUint16(at + 2);
        }
    }
  } catch {} // cut off
  return null;
}

export function base64(b) {
  let s = "";
  for (let i = 0; i < b.length; i += 8190) s += btoa(String.fromCharCode(...b.subarray(i, i + 8190))); // whole groups of three
  return s;
}

const named = { black: "000000", white: "ffffff", red: "ff0000", green: "008000", blue: "0000ff", gray: "808080", grey: "808080", yellow: "ffff00", orange: "ffa500" };

// hex is a colour as six digits: "#rgb", "#rrggbb", without the "#", or a common name.
export function hex(v, what) {
  const s = String(v).replace(/^#/, "").toLowerCase();
  if (Object.hasOwn(named, s)) return named[s];
  if (/^[0-9a-f]{3}$/.test(s)) return [...s].map((c) => c + c).join("");
  if (/^[0-9a-f]{6}$/.test(s)) return s;
  return refuse(`${what} must be a colour like "#2563eb", got ${JSON.stringify(v)}`);
}
