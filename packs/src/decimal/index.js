export { Decimal, Decimal as default } from "decimal.js";
