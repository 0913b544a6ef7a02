import { pong } from "./pong.js";

export const ping = (n) => (n === 0 ? "ping" : pong(n - 1));
