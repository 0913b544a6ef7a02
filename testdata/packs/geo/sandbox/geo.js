import { round } from "./internal/round.js";

let calls = 0;

export function haversine(a, b) {
  calls++;
  return round(Math.abs(a - b) * 111);
}

export const count = () => calls;
