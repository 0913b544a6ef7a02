// A process that is no Node, for libraries which ask.
export const process = { env: {}, browser: true, version: "", versions: {}, platform: "", argv: [], nextTick: (f, ...args) => queueMicrotask(() => f(...args)) };
