import { PDFDocument, StandardFonts, degrees, rgb } from "pdf-lib";
import { exported, text, bytes, bag, isObject, list, number, string, refuse } from "../facade/checks.js";
import { hex, imageType } from "../facade/images.js";

const maxPages = 200, maxSide = 8192, maxItems = 10_000;

const fonts = Object.fromEntries(Object.values(StandardFonts).filter((f) => f !== "Symbol" && f !== "ZapfDingbats").map((f) => [f.toLowerCase(), f]));

function color(v, standard) {
  let digits = standard;
  try {
    if (v !== undefined) digits = hex(v, "color");
  } catch {
    digits = "000000"; // as the platform does
  }
  const part = (i) => parseInt(digits.slice(i, i + 2), 16) / 255;
  return rgb(part(0), part(2), part(4));
}

// lines are those of a text, wrapped at spaces to a width if there is one.
function lines(s, font, size, width) {
  const all = s.split(/\r\n|[\n\r\u2028\u2029\v\f]/);
  if (width === undefined) return all;
  return all.flatMap((line) => {
    const out = [];
    let current = "";
    for (const word of line.split(/(?<= )/)) {
      if (current !== "" && font.widthOfTextAtSize((current + word).trimEnd(), size) > width) {
        out.push(current.trimEnd());
        current = "";
      }
      current += word;
    }
    return [...out, current.trimEnd()];
  });
}

// drawable checks that the standard fonts have all characters, or puts another in their place.
function drawable(s, font, fallback) {
  s = s.replaceAll("\t", "    ");
  const known = font.known ??= new Set(font.getCharacterSet());
  let out = "";
  for (const c of s) {
    if (c === "\n" || c === "\r" || "\u2028\u2029\v\f".includes(c) || known.has(c.codePointAt(0))) out += c;
    else if (fallback !== undefined) out += fallback;
    else refuse(`the character ${JSON.stringify(c)} (U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}) is not in the standard fonts: set fallback, or draw the text with a canvas and add it as an image`);
  }
  return out;
}

async function fontOf(doc, cache, name = "Helvetica") {
  const found = fonts[String(name).toLowerCase()] ?? refuse(`font must be one of ${Object.values(fonts).join(", ")}, got ${JSON.stringify(name)}`);
  return cache[found] ??= await doc.embedFont(found);
}

const items = {
  async text(item, page, doc, cache) {
    const size = number(item.size, 12, "size", 0.1, 2000), x = number(item.x, 0, "x"), y = number(item.y, 0, "y");
    const font = await fontOf(doc, cache, item.font);
    const s = drawable(text(string(item.text), "text"), font, item.fallback === undefined ? undefined : String(item.fallback));
    const width = item.width === undefined ? undefined : number(item.width, 0, "width", 1, maxSide);
    const step = number(item.lineHeight, 1.2 * size, "lineHeight", 0.1, 10_000);
    lines(s, font, size, width).forEach((line, i) => {
      if (line === "") return;
      const space = (width ?? 0) - (item.align === "center" || item.align === "right" ? font.widthOfTextAtSize(line, size) : width ?? 0);
      page.drawText(line, {
        x: x + (item.align === "center" ? space / 2 : item.align === "right" ? space : 0),
        y: page.getHeight() - y - size - i * step, size, font, color: color(item.color, "000000"), opacity: number(item.opacity, 1, "opacity", 0, 1),
      });
    });
  },
  async image(item, page, doc, cache) {
    const data = bytes(item.data, "data"), type = imageType(data);
    if (type !== "jpg" && type !== "png") refuse("data must be a PNG or JPEG picture");
    const seen = cache.images ??= new Map();
    const embedded = seen.get(item.data) ?? await (type === "jpg" ? doc.embedJpg(data) : doc.embedPng(data));
    seen.set(item.data, embedded);
    const height = number(item.height, item.width === undefined ? embedded.height : embedded.height * item.width / embedded.width, "height", 0, maxSide * 10);
    const width = number(item.width, item.height === undefined ? embedded.width : embedded.width * item.height / embedded.height, "width", 0, maxSide * 10);
    page.drawImage(embedded, { x: number(item.x, 0, "x"), y: page.getHeight() - number(item.y, 0, "y") - height, width, height, opacity: number(item.opacity, 1, "opacity", 0, 1) });
  },
  rect(item, page) {
    const width = number(item.width, 100, "width"), height = number(item.height, 100, "height");
    page.drawRectangle({
      x: number(item.x, 0, "x"), y: page.getHeight() - number(item.y, 0, "y") - height, width, height, opacity: number(item.opacity, 1, "opacity", 0, 1),
      color: item.fill === undefined && item.stroke !== undefined ? undefined : color(item.fill, "000000"),
      ...(item.stroke === undefined ? {} : { borderColor: color(item.stroke, "000000"), borderWidth: number(item.strokeWidth, 1, "strokeWidth", 0, 1000) }),
    });
  },
  line(item, page) {
    const h = page.getHeight();
    page.drawLine({
      start: { x: number(item.x1, 0, "x1"), y: h - number(item.y1, 0, "y1") }, end: { x: number(item.x2, 0, "x2"), y: h - number(item.y2, 0, "y2") },
      thickness: number(item.width, 1, "width", 0, 1000), color: color(item.color, "000000"),
    });
  },
};

export const build = exported("pdflib", "build", async (spec) => {
  spec = bag(spec);
  const pages = list(spec.pages, "pages", maxPages);
  if (pages.length === 0) refuse("pages must have at least one page");
  const doc = await PDFDocument.create();
  for (const [field, set] of [["title", "setTitle"], ["author", "setAuthor"], ["subject", "setSubject"]]) {
    if (spec[field] !== undefined) doc[set](text(string(spec[field]), field));
  }
  if (spec.keywords !== undefined) doc.setKeywords([spec.keywords].flat().map(String));
  doc.setProducer("Quicksand (pdf-lib)");
  const cache = {};
  for (const [p, description] of pages.entries()) {
    const o = bag(description);
    const side = (v, standard, what) => {
      const n = number(v, standard, `page ${p}: ${what}`);
      return n > 0 && n <= maxSide ? n : refuse(`page ${p}: ${what} of ${n} is not more than 0 and at most ${maxSide}`);
    };
    const page = doc.addPage([side(o.width, 612, "width"), side(o.height, 792, "height")]);
    if (o.rotate !== undefined) page.setRotation(degrees(90 * Math.round(number(o.rotate, 0, `page ${p}: rotate`) / 90)));
    for (const [i, item] of list(o.items ?? [], `page ${p}: items`, maxItems).entries()) {
      const type = isObject(item) ? item.type : undefined;
      if (typeof type !== "string" || !Object.hasOwn(items, type)) refuse(`page ${p} item ${i} ${isObject(item) ? `has the unknown type ${JSON.stringify(type)}` : "is no object"}: its type must be one of ${Object.keys(items).join(", ")}`);
      try {
        await items[type](item, page, doc, cache);
      } catch (e) {
        refuse(`page ${p} item ${i}: ${e.message}`);
      }
    }
  }
  return doc.save();
});

async function open(data, what) {
  try {
    return await PDFDocument.load(bytes(data, what), { updateMetadata: false });
  } catch (e) {
    return refuse(/encrypted/i.test(e.message) ? `${what} is encrypted` : e.message.startsWith(what) ? e.message : `${what} is not a PDF that can be read: ${e.message}`);
  }
}

export const merge = exported("pdflib", "merge", async (documents, o) => {
  const all = list(documents, "documents", maxPages);
  if (all.length === 0) refuse("documents must have at least one document");
  const { pages } = bag(o);
  if (pages !== undefined) list(pages, "pages", maxPages);
  const doc = await PDFDocument.create();
  doc.setProducer("Quicksand (pdf-lib)");
  for (const [i, data] of all.entries()) {
    const from = await open(data, `document ${i}`);
    // pages[i] are those to take of a document, from 0, in the order of the list.
    const wanted = pages?.[i] === undefined || pages[i] === null ? from.getPageIndices() : list(pages[i], `pages[${i}]`, 10_000);
    for (const n of wanted) if (!Number.isInteger(n) || n < 0 || n >= from.getPageCount()) refuse(`document ${i} has no page ${n}: it has ${from.getPageCount()}`);
    for (const page of await doc.copyPages(from, wanted)) doc.addPage(page);
  }
  return doc.save();
});

// info tells what a document is without changing it.
export const info = exported("pdflib", "info", async (data) => {
  const doc = await open(data, "the document");
  const pages = doc.getPages().map((p) => ({ width: p.getWidth(), height: p.getHeight(), rotate: p.getRotation().angle }));
  return { pageCount: pages.length, title: doc.getTitle() ?? null, author: doc.getAuthor() ?? null, subject: doc.getSubject() ?? null, pages };
});

export default { build, merge, info };
