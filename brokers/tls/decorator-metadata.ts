// @peculiar/x509 needs tsyringe, which only loads if three functions of the "reflect-metadata" proposal
// exist. They are defined here on `Reflect`, unless the whole proposal is already present.

type Key = string | symbol;

const kept = new WeakMap<object, Map<Key, unknown>>();

function getOwnMetadata(key: Key, target: object): unknown {
  return kept.get(target)?.get(key);
}

function getMetadata(key: Key, target: object): unknown {
  for (let owner: object | null = target; owner !== null; owner = Object.getPrototypeOf(owner)) {
    if (kept.get(owner)?.has(key) === true) return getOwnMetadata(key, owner);
  }
  return undefined;
}

function defineMetadata(key: Key, value: unknown, target: object): void {
  const own = kept.get(target);
  if (own === undefined) kept.set(target, new Map([[key, value]]));
  else own.set(key, value);
}

for (const [name, value] of Object.entries({ getOwnMetadata, getMetadata, defineMetadata })) {
  if (!(name in Reflect)) Object.defineProperty(Reflect, name, { value, configurable: true, writable: true });
}
