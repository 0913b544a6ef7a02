// A TextDecoder that asks the host first when there is something to decode: libraries try
// theirs when they are loaded, and heaps hold only modules that ask for nothing then.
export class TextDecoder {
  #real;
  #args;
  constructor(...args) {
    this.#args = args;
  }
  decode(data, options) {
    if (!this.#real && !data?.byteLength) return "";
    this.#real ??= new globalThis.TextDecoder(...this.#args);
    return this.#real.decode(data, options);
  }
}
