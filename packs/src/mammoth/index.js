import mammoth from "mammoth";
import { exported, bytes, bag, list, refuse, refused } from "../facade/checks.js";

const maxImage = 10 * 1024 * 1024; // bytes of all pictures that become data URIs
const maxInflated = 50 * 1024 * 1024; // what the parts of a document say they take

function input(v) {
  const b = bytes(v);
  if (b[0] !== 0x50 || b[1] !== 0x4b) refuse("the data is not a docx file: it does not begin like a zip archive");
  checkInflated(b);
  return { arrayBuffer: b.slice().buffer };
}

// checkInflated reads the sizes in the directory of the archive before anything is inflated.
function checkInflated(b) {
  const d = new DataView(b.buffer, b.byteOffset, b.byteLength);
  let sum = 0;
  for (let end = b.length - 22; end >= 0 && end > b.length - 65_558; end--) {
    if (d.getUint32(end, true) !== 0x06054b50) continue;
    let at = d.getUint32(end + 16, true);
    for (let n = d.getUint16(end + 10, true); n > 0 && at + 46 <= b.length && d.getUint32(at, true) === 0x02014b50; n--) {
      sum += d.getUint32(at + 24, true);
      if (sum > maxInflated) refuse(`the parts of the document take more than the limit of ${maxInflated} bytes`);
      at += 46 + d.getUint16(at + 28, true) + d.getUint16(at + 30, true) + d.getUint16(at + 32, true);
    }
    return;
  }
}

// converted is the result of a conversion. What the library says of a broken archive is
// advice for programmers of web pages.
async function converted(work) {
  try {
    return await work;
  } catch (e) {
    if (refused(e)) throw e;
    return refuse(`the document cannot be read: ${e.message.split(/ : | \? /)[0]}`);
  }
}

// answer is the text alone, or with what the conversion warned of.
const answer = (result, o) => o.messages === true ? { value: result.value, messages: result.messages.map(({ type, message }) => ({ type, message })) } : result.value;

export const extractRawText = exported("mammoth", "extractRawText", async (data, o) => answer(await converted(mammoth.extractRawText(input(data))), bag(o)));

export const convertToHtml = exported("mammoth", "convertToHtml", async (data, o) => {
  o = bag(o);
  let total = 0;
  const options = {
    convertImage: mammoth.images.imgElement(async (image) => {
      const base64 = await image.readAsBase64String();
      total += base64.length * 3 / 4;
      if (total > maxImage) refuse(`the pictures take more than the limit of ${maxImage} bytes: leave them out with images: "skip"`);
      return { src: `data:${image.contentType};base64,${base64}` };
    }),
  };
  if (o.images === "skip") options.convertImage = () => [];
  if (o.styleMap !== undefined) options.styleMap = list(o.styleMap, "styleMap", 1000).map(String);
  return answer(await converted(mammoth.convertToHtml(input(data), options)), o);
});

export default { extractRawText, convertToHtml };
