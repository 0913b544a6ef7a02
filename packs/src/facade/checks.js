// What the facades share: how they check arguments and how their errors read.

export const MAX_TEXT = 5 * 1024 * 1024; // UTF-16 units
export const MAX_BYTES = 10 * 1024 * 1024;

// A Refusal is an error whose text is ours and says all there is.
class Refusal extends Error {}

export function refuse(message) {
  throw new Refusal(message);
}

export const refused = (e) => e instanceof Refusal;

// exported makes the function that guests call: asynchronous, with its own name, and with
// errors that begin with the operation.
export function exported(pack, name, work) {
  const where = `${pack}.${name}`;
  return {
    async [name](...args) {
      try {
        return await work(...args);
      } catch (e) {
        throw Object.assign(new Error(`${where}: ${describe(e)}`), refused(e) ? {} : { cause: e });
      }
    },
  }[name];
}

function describe(e) {
  if (e instanceof RangeError && /stack/i.test(e.message) || e?.name === "InternalError" && /stack/i.test(e.message)) return "the input is nested too deeply";
  return e instanceof Error ? e.message : String(e);
}

const kindOf = (v) => v === null ? "null" : Array.isArray(v) ? "an array" : typeof v === "object" ? v instanceof Promise ? "a Promise: await it first" : "an object" : typeof v === "undefined" ? "undefined" : `a ${typeof v}`;

export function text(v, what = "the text") {
  if (typeof v !== "string") refuse(`${what} must be a string, got ${kindOf(v)}`);
  if (v.length > MAX_TEXT) refuse(`${what} of ${v.length} characters is more than the limit of ${MAX_TEXT}`);
  return v;
}

// bytes takes any view, and only the part of the buffer that it shows.
export function bytes(v, what = "the data") {
  if (v instanceof ArrayBuffer) v = new Uint8Array(v);
  if (!ArrayBuffer.isView(v)) refuse(`${what} must be a Uint8Array, got ${kindOf(v)} (workspace.readBytes and response.bytes() give one)`);
  if (v.byteLength > MAX_BYTES) refuse(`${what} of ${v.byteLength} bytes is more than the limit of ${MAX_BYTES}`);
  return new Uint8Array(v.buffer, v.byteOffset, v.byteLength);
}

// bag is an object of options: what is none counts as empty.
export const bag = (v) => v !== null && typeof v === "object" && !Array.isArray(v) ? v : {};

export const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v);

// number is a finite number of an option that may be absent.
export function number(v, standard, what, min = -Infinity, max = Infinity) {
  if (v === undefined || v === null) return standard;
  if (typeof v !== "number" || !Number.isFinite(v)) refuse(`${what} must be a number, got ${typeof v === "number" ? v : kindOf(v)}`);
  if (v < min || v > max) refuse(`${what} of ${v} is not between ${min} and ${max}`);
  return v;
}

// list is an array with at most so many elements.
export function list(v, what, max = 100_000) {
  if (!Array.isArray(v)) refuse(`${what} must be an array, got ${kindOf(v)}`);
  if (v.length > max) refuse(`${what} has ${v.length} elements, more than the limit of ${max}`);
  return v;
}

// string is what a field of a document becomes as text.
export const string = (v) => v === undefined || v === null ? "" : typeof v === "object" && !(v instanceof Date) ? JSON.stringify(v) : v instanceof Date ? v.toISOString() : String(v);
