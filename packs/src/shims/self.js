// What libraries look for the globals in: an object that has itself as self.
export const self = Object.create(globalThis);
self.self = self;
