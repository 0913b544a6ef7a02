import { ping } from "./ping.js";

export const pong = (n) => (n === 0 ? "pong" : ping(n - 1));
