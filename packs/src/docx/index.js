import {
  AlignmentType, Document, ExternalHyperlink, HeadingLevel, ImageRun, LevelFormat, Packer, PageBreak, PageOrientation,
  Paragraph, ShadingType, Table, TableCell, TableRow, TextRun, WidthType,
} from "docx";
import { exported, text, bytes, bag, isObject, list, number, string, refuse } from "../facade/checks.js";
import { hex, imageSize, imageType } from "../facade/images.js";

const headings = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3, HeadingLevel.HEADING_4, HeadingLevel.HEADING_5, HeadingLevel.HEADING_6];
const alignments = { LEFT: AlignmentType.LEFT, CENTER: AlignmentType.CENTER, RIGHT: AlignmentType.RIGHT, JUSTIFY: AlignmentType.JUSTIFIED };
const perInch = 96; // pixels
const twipsPerInch = 1440;
const maxElements = 20_000, maxCells = 200_000;

// clean takes out what XML cannot hold.
const clean = (v) => text(string(v), "a text").replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");

function alignment(v) {
  if (v === undefined || v === null) return alignments.LEFT;
  return alignments[String(v).toUpperCase().replace(/^JUSTIFIED$/, "JUSTIFY")] ?? refuse(`alignment must be LEFT, CENTER, RIGHT or JUSTIFY, got ${JSON.stringify(v)}`);
}

// run is one piece of text with its style; its lines become lines of the document.
function runs(o, base = {}) {
  const style = {
    bold: (o.bold ?? base.bold) === true,
    italics: (o.italic ?? base.italic) === true,
    strike: (o.strike ?? base.strike) === true,
    underline: (o.underline ?? base.underline) === true ? {} : undefined,
    size: Math.round(2 * number(o.fontSize ?? base.fontSize, 12, "fontSize", 1, 1638)),
    color: o.color ?? base.color ? hex(o.color ?? base.color, "color") : undefined,
    font: o.font ?? base.font ? clean(o.font ?? base.font) : undefined,
  };
  const pieces = clean(o.text).split(/\r\n|\r|\n/).map((line, i) => new TextRun({ ...style, text: line, break: i > 0 ? 1 : undefined, style: o.link ? "Hyperlink" : undefined }));
  return o.link ? [new ExternalHyperlink({ link: link(o.link), children: pieces })] : pieces;
}

const link = (v) => /^(https?:|mailto:)/i.test(v) ? clean(v) : refuse(`link must begin with https:, http: or mailto:, got ${JSON.stringify(v)}`);

// content is the text of an element: runs, if it has any, or text.
const content = (e) => e.runs === undefined ? runs(e) : list(e.runs, "runs", 10_000).flatMap((r) => runs(isObject(r) ? r : { text: r }, e));

function picture(e) {
  const data = bytes(e.data, "data"), type = imageType(data);
  if (!["png", "jpg", "gif", "bmp"].includes(type)) refuse("data must be a PNG, JPEG, GIF or BMP picture");
  const size = imageSize(data), ratio = size?.width > 0 && size.height > 0 ? size.height / size.width : 1;
  let width = e.width === undefined ? undefined : number(e.width, 0, "width", 0.01, 100) * perInch;
  let height = e.height === undefined ? undefined : number(e.height, 0, "height", 0.01, 100) * perInch;
  width ??= height === undefined ? 200 : height / ratio;
  height ??= width * ratio;
  const alt = e.alt === undefined ? undefined : { name: clean(e.alt), title: clean(e.alt), description: clean(e.alt) };
  return new ImageRun({ type, data, transformation: { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }, altText: alt });
}

function table(e) {
  const rows = list(e.rows, "rows", 10_000).map((row, i) => list(row, `row ${i}`, 1000));
  const columns = Math.max(1, ...rows.map((row) => row.length));
  if (columns * rows.length > maxCells) refuse(`the table has more than ${maxCells} cells`);
  const widths = e.widths === undefined ? undefined : list(e.widths, "widths", 1000).map((w) => Math.round(number(w, 1, "a width", 0.05, 100) * twipsPerInch));
  const cell = (v, i, head) => {
    const o = isObject(v) && ("text" in v || "runs" in v) ? v : { text: v };
    return new TableCell({
      children: [new Paragraph({ alignment: alignment(o.alignment), children: content({ bold: head, ...o }) })],
      width: widths?.[i] ? { size: widths[i], type: WidthType.DXA } : undefined,
      shading: o.fill === undefined ? undefined : { type: ShadingType.CLEAR, color: "auto", fill: hex(o.fill, "fill") },
    });
  };
  if (rows.length === 0) return new Paragraph("");
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    columnWidths: widths,
    rows: rows.map((row, r) => {
      const head = e.header === true && r === 0;
      const cells = Array.from({ length: columns }, (_, i) => cell(row[i], i, head));
      return new TableRow({ children: cells, tableHeader: head || undefined });
    }),
  });
}

const build1 = {
  heading: (e) => [new Paragraph({ heading: headings[Math.min(Math.max(Math.round(Number(e.level ?? 1)) || 1, 1), 6) - 1], alignment: e.alignment === undefined ? undefined : alignment(e.alignment), children: clean(e.text).split(/\r\n|\r|\n/).map((line, i) => new TextRun({ text: line, break: i > 0 ? 1 : undefined })) })],
  paragraph: (e) => [new Paragraph({ alignment: alignment(e.alignment), children: content(e) })],
  list: (e, lists) => {
    if (e.ordered === true) lists.count++;
    const at = e.ordered === true ? { reference: "numbers", instance: lists.count } : { reference: "bullets" };
    return list(e.items, "items", 10_000).map((item) => {
      const o = isObject(item) ? item : { text: item };
      return new Paragraph({ numbering: { ...at, level: Math.min(Math.max(Math.round(Number(o.level ?? 0)) || 0, 0), 5) }, children: content({ fontSize: e.fontSize, ...o }) });
    });
  },
  table: (e) => [table(e)],
  image: (e) => [new Paragraph({ alignment: alignment(e.alignment), children: [picture(e)] })],
  pageBreak: () => [new Paragraph({ children: [new PageBreak()] })],
};

const levels = (format, texts) => texts.map((t, level) => ({ level, format, text: t, alignment: AlignmentType.LEFT, style: { paragraph: { indent: { left: 720 * (level + 1), hanging: 360 } } } }));

export const build = exported("docx", "build", async (spec) => {
  spec = bag(spec);
  const elements = Array.isArray(spec.elements) ? list(spec.elements, "elements", maxElements) : [];
  const lists = { count: 0 };
  const children = elements.flatMap((e, i) => {
    const type = isObject(e) ? e.type : undefined;
    if (typeof type !== "string" || !Object.hasOwn(build1, type)) refuse(`element ${i} has ${type === undefined ? "no type" : `the unknown type ${JSON.stringify(type)}`}: it must be one of ${Object.keys(build1).join(", ")}`);
    try {
      return build1[type](e, lists);
    } catch (error) {
      return refuse(`element ${i}: ${error.message}`);
    }
  });
  const p = bag(spec.properties), page = bag(spec.page), field = (v) => v === undefined || v === null ? undefined : clean(v);
  const inches = (v, what) => v === undefined ? undefined : Math.round(number(v, 0, what, 0, 50) * twipsPerInch);
  const margin = inches(page.margin, "page.margin");
  const doc = new Document({
    title: field(p.title), creator: field(p.author), subject: field(p.subject), description: field(p.description),
    keywords: Array.isArray(p.keywords) ? p.keywords.map(clean).join(", ") : field(p.keywords), lastModifiedBy: field(p.author),
    numbering: { config: [
      { reference: "bullets", levels: levels(LevelFormat.BULLET, ["•", "◦", "▪", "•", "◦", "▪"]) },
      { reference: "numbers", levels: levels(LevelFormat.DECIMAL, ["%1.", "%2.", "%3.", "%4.", "%5.", "%6."]) },
    ] },
    sections: [{
      properties: { page: {
        size: { width: inches(page.width, "page.width"), height: inches(page.height, "page.height"), orientation: page.landscape === true ? PageOrientation.LANDSCAPE : undefined },
        margin: margin === undefined ? undefined : { top: margin, right: margin, bottom: margin, left: margin },
      } },
      children,
    }],
  });
  return new Uint8Array(await Packer.toArrayBuffer(doc));
});

export default { build };
