import PptxGenJS from "pptxgenjs";
import { exported, text, bytes, bag, isObject, list, number, string, refuse } from "../facade/checks.js";
import { base64, hex, imageType } from "../facade/images.js";

const maxSlides = 200, maxItems = 5_000, maxCells = 50_000;

// clean takes out what XML cannot hold.
const clean = (v) => text(string(v), "a text").replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");

const place = (item) => ({
  x: number(item.x, 0.5, "x", -100, 100), y: number(item.y, 0.5, "y", -100, 100),
  w: number(item.w ?? item.width, 8, "w", 0, 100), h: number(item.h ?? item.height, 1, "h", 0, 100),
});

const oneOf = (v, standard, what, ...values) => v === undefined ? standard : values.includes(v) ? v : refuse(`${what} must be one of ${values.join(", ")}, got ${JSON.stringify(v)}`);

// font is a name that stands in an attribute, which the library does not escape.
const font = (v) => v === undefined ? undefined : /^[^<>&"'\p{C}]{1,100}$/u.test(v) ? String(v) : refuse(`font must be the name of a font, got ${JSON.stringify(v)}`);

const style = (item) => ({
  fontSize: number(item.fontSize, 18, "fontSize", 1, 4000), color: hex(item.color ?? "000000", "color"), bold: item.bold === true, italic: item.italic === true,
  align: oneOf(item.align, "left", "align", "left", "center", "right", "justify"), valign: oneOf(item.valign, undefined, "valign", "top", "middle", "bottom"),
  fontFace: font(item.font), bullet: item.bullet === true || undefined,
});

const items = {
  text(item, slide) {
    slide.addText(clean(item.text), { ...place(item), ...style(item) });
  },
  image(item, slide) {
    const data = bytes(item.data, "data"), type = imageType(data);
    if (type !== "jpg" && type !== "png" && type !== "gif") refuse("data must be a PNG, JPEG or GIF picture");
    slide.addImage({ data: `image/${type === "jpg" ? "jpeg" : type};base64,${base64(data)}`, altText: item.alt === undefined ? undefined : clean(item.alt), ...place(item) });
  },
  shape(item, slide) {
    const shape = String(item.shape ?? "rect");
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(shape)) refuse(`shape must be the name of a preset geometry like "rect" or "ellipse", got ${JSON.stringify(shape)}`);
    slide.addShape(shape, { ...place(item), fill: { color: hex(item.fill ?? "2563eb", "fill") }, ...(item.line === undefined ? {} : { line: { color: hex(item.line, "line"), width: number(item.lineWidth, 1, "lineWidth", 0, 1000) } }) });
  },
  table(item, slide) {
    const rows = list(item.rows, "rows", 1000).map((row, i) => list(row, `row ${i}`, 1000));
    if (rows.length === 0 || rows[0].length === 0) refuse("rows must have at least one cell");
    const columns = Math.max(...rows.map((row) => row.length));
    if (columns * rows.length > maxCells) refuse(`the table has more than ${maxCells} cells`);
    const s = { ...style({ fontSize: 12, ...item }), border: { type: "solid", pt: 1, color: "CCCCCC" } };
    const { x, y, w } = place(item);
    slide.addTable(rows.map((row, r) => Array.from({ length: columns }, (_, i) => ({ text: clean(row[i]), options: { ...s, bold: s.bold || item.header === true && r === 0 } }))), { x, y, w });
  },
};

export const build = exported("pptxgen", "build", async (spec) => {
  spec = bag(spec);
  const slides = list(spec.slides, "slides", maxSlides);
  if (slides.length === 0) refuse("slides must have at least one slide");
  const deck = new PptxGenJS();
  deck.layout = "LAYOUT_16x9";
  deck.title = spec.title === undefined ? "" : clean(spec.title);
  deck.author = spec.author === undefined ? "" : clean(spec.author);
  deck.subject = spec.subject === undefined ? "" : clean(spec.subject);
  deck.company = "";
  for (const [s, description] of slides.entries()) {
    const o = bag(description), slide = deck.addSlide();
    if (o.background !== undefined) slide.background = { color: hex(o.background, `slide ${s}: background`) };
    if (o.notes !== undefined) slide.addNotes(clean(o.notes));
    for (const [i, item] of list(o.items ?? [], `slide ${s}: items`, maxItems).entries()) {
      const type = isObject(item) ? item.type : undefined;
      if (typeof type !== "string" || !Object.hasOwn(items, type)) refuse(`slide ${s} item ${i} ${isObject(item) ? `has the unknown type ${JSON.stringify(type)}` : "is no object"}: its type must be one of ${Object.keys(items).join(", ")}`);
      try {
        items[type](item, slide);
      } catch (e) {
        refuse(`slide ${s} item ${i}: ${e.message}`);
      }
    }
  }
  return deck.write({ outputType: "uint8array" });
});

export default { build };
