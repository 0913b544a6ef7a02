export * from "date-fns";
