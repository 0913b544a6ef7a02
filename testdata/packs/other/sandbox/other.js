import { haversine } from "@acme/geo";
import { ping } from "./internal/ping.js";

export const trip = (...stops) => stops.slice(1).reduce((sum, stop, i) => sum + haversine(stops[i], stop), 0);
export const volley = (n) => ping(n);
