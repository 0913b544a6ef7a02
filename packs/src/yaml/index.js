export { default } from "js-yaml";
export * from "js-yaml";
