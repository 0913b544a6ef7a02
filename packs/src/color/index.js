export * from "culori";
