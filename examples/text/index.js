// A package of two files: what the specifier means is this one.
import { words } from "./words.js";

export const slug = (s) => words(s.normalize("NFD").replace(/\p{M}/gu, "")).join("-");
export const initials = (s) => words(s).map((w) => [...w][0].toUpperCase()).join("");
export { words };
