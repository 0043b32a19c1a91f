/** The same object with one member replaced; other methods keep their `this`. */
export function withMethod<T extends object, K extends keyof T>(target: T, name: K, member: T[K]): T {
  // Each method is bound once, since they are read for every record.
  const bound = new Map<string | symbol, unknown>([[name as string, member]]);
  return new Proxy(target, {
    get(object, key) {
      if (bound.has(key)) return bound.get(key);
      const value: unknown = Reflect.get(object, key);
      if (typeof value !== 'function') return value;
      const own: unknown = value.bind(object);
      bound.set(key, own);
      return own;
    },
  });
}
