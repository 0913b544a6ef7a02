export * from "simple-statistics";
