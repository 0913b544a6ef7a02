export const secret = "nobody outside of the pack can import this";
