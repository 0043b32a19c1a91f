import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import type { Random } from './random.ts';
import { BANNED_RESOURCES, BANS } from './virtual-sandbox-bans.ts';
import { callerOf } from './virtual-sandbox-caller.ts';
import { isOwnTurn } from './virtual-time.ts';

/** A virtual run reached for the real world. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';
  /** What was called: `fs.readFileSync`. */
  readonly what: string;
  /** Who called it: `node_modules/foo/bar.js:12`. */
  readonly caller: string;

  constructor(what: string, caller: string, instead: string) {
    super(`${what} has no place in a virtual run (called at ${caller}); use ${instead}`);
    this.what = what;
    this.caller = caller;
  }
}

/** What the sandbox asks of a world. */
export interface SandboxWorld {
  readonly time: { nowMs(): number };
  readonly random: Random;
}

interface Run {
  readonly nowMs: () => number;
  readonly fraction: () => number;
  readonly trespasses: Forbidden[];
}

/**
 * Which calls belong to a run: those in its asynchronous context, wherever its promises lead. What else the process
 * does meanwhile, such as the test runner's talk with its parent, is left alone.
 */
const current = new AsyncLocalStorage<Run>();

/**
 * Carries out `body` so that libraries obey too: Date and Math.random answer from `world`, and whoever calls for
 * timers, chance, sockets, files or threads gets a `Forbidden` with its name. A trespass fails the run even where
 * the library swallowed the error. All is as before afterwards, also after a throw.
 *
 * Modules have to be loaded before (a static import does): `require` within the run is let through, `import()` is
 * real waiting and leaves the loop `Stuck`. A library that took hold of a function when it was loaded escapes the
 * replacement; what is asynchronous is then still found and fails the run. To catch the rest as well, call
 * `putUpSandbox` before that library is imported.
 */
export async function runInSandbox<T>(world: SandboxWorld, body: () => Promise<T>): Promise<T> {
  const stream = world.random.stream('sandbox/Math.random');
  const run: Run = {
    nowMs: () => world.time.nowMs(),
    fraction: () => stream.fraction(),
    trespasses: [],
  };
  const takeDown = putUpSandbox();
  watch();
  try {
    const result = await current.run(run, body);
    refuseTrespasses(run, undefined);
    return result;
  } catch (error) {
    refuseTrespasses(run, error);
    throw error;
  } finally {
    unwatch();
    takeDown();
  }
}

/** The first trespass is the reason, whatever came of it. */
function refuseTrespasses({ trespasses }: Run, error: unknown): void {
  const [first] = trespasses;
  if (first === undefined || first === error) return;
  if (error !== undefined) first.cause ??= error;
  throw first;
}

let upCount = 0;
const restores: (() => void)[] = [];

/**
 * Replaces the functions, which outside a run do what they always did; the returned function puts the old ones
 * back, once all who put it up have taken it down.
 */
export function putUpSandbox(): () => void {
  upCount += 1;
  if (upCount === 1) {
    replaceClock();
    for (const ban of BANS) {
      const holder = ban.holder();
      if (holder === undefined) continue;
      const names = ban.names === 'all' ? functionsOf(holder) : ban.names;
      for (const name of names) replaceFunction(holder, name, `${ban.prefix}${name}`, ban.instead);
    }
    syncBuiltinESMExports();
  }
  let isUp = true;
  return () => {
    if (!isUp) return;
    isUp = false;
    upCount -= 1;
    if (upCount > 0) return;
    for (const restore of restores.splice(0).reverse()) restore();
    syncBuiltinESMExports();
  };
}

function functionsOf(holder: object): readonly string[] {
  return Object.getOwnPropertyNames(holder).filter((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    return name !== 'constructor' && /^[a-z]/.test(name) && typeof descriptor?.value === 'function';
  });
}

/** A proxy keeps what else hangs on the function, such as its promisified form. */
function replaceFunction(holder: object, name: string, what: string, instead: string): void {
  const original: unknown = Reflect.get(holder, name);
  if (typeof original !== 'function') return;
  replace(
    holder,
    name,
    new Proxy(original, {
      apply: (target, self, args) => {
        refuse(what, instead);
        return Reflect.apply(target, self, args);
      },
      construct: (target, args, newTarget) => {
        refuse(what, instead);
        return Reflect.construct(target, args, newTarget);
      },
    }),
  );
}

function replaceClock(): void {
  const realNow = Date.now.bind(Date);
  const realRandom = Math.random.bind(Math);
  const nowMs = (): number => current.getStore()?.nowMs() ?? realNow();
  replace(Date, 'now', nowMs);
  replace(Math, 'random', () => current.getStore()?.fraction() ?? realRandom());
  replace(
    globalThis,
    'Date',
    new Proxy(Date, {
      construct: (target, args, newTarget) =>
        Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
      apply: (target) => new target(nowMs()).toString(),
    }),
  );
}

function replace(holder: object, name: string, value: unknown): void {
  const descriptor = Object.getOwnPropertyDescriptor(holder, name);
  if (descriptor !== undefined && !descriptor.configurable) return;
  Object.defineProperty(holder, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: descriptor?.enumerable ?? false,
  });
  restores.push(() => {
    if (descriptor === undefined) Reflect.deleteProperty(holder, name);
    else Object.defineProperty(holder, name, descriptor);
  });
}

/** Throws where the call belongs to a run. */
function refuse(what: string, instead: string): void {
  const trespass = notice(what, instead);
  if (trespass !== undefined) throw trespass;
}

let isNoticing = false;

function notice(what: string, instead: string): Forbidden | undefined {
  const run = current.getStore();
  // Finding the caller may itself read a source map.
  if (run === undefined || isNoticing) return undefined;
  isNoticing = true;
  try {
    const caller = callerOf();
    if (caller === undefined) return undefined;
    const trespass = new Forbidden(what, caller, instead);
    run.trespasses.push(trespass);
    return trespass;
  } finally {
    isNoticing = false;
  }
}

/** The second net. A hook must not throw, so what it finds fails the run at its end. */
const watcher = createHook({
  trackPromises: false,
  init(_id, type) {
    const instead = BANNED_RESOURCES.get(type);
    if (instead !== undefined && !isOwnTurn()) notice(type, instead);
  },
});

let watchCount = 0;

function watch(): void {
  watchCount += 1;
  if (watchCount === 1) watcher.enable();
}

function unwatch(): void {
  watchCount -= 1;
  if (watchCount === 0) watcher.disable();
}
