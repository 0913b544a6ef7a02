export const words = (s) => s.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
