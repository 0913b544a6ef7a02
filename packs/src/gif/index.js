export { default } from "gifenc";
export * from "gifenc";
