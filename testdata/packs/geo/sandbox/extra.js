import { haversine, count } from "./geo.js";

export const metres = (a, b) => haversine(a, b) * 1000;
export { count };
