import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
// By its namespace: an older Node has no getCallSites, and the library says so before this is used.
import * as util from 'node:util';
import { isOwnTurn } from '../loop/event-loop-turns.ts';
import type { Random } from '../random/random.ts';
import { BANNED_RESOURCES, BANS } from './virtual-sandbox-bans.ts';

/** A virtual run called a function of the real world. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';
  /** The function that was called: `fs.readFileSync`. */
  readonly what: string;
  /** The caller: `node_modules/foo/bar.js:12`. */
  readonly caller: string;

  constructor(what: string, caller: string, instead: string) {
    super(`${what} is not allowed in a virtual run (called at ${caller}); use ${instead}`);
    this.what = what;
    this.caller = caller;
  }
}

/** The parts of a world that the sandbox needs. */
export interface SandboxWorld {
  readonly time: { nowMs(): number };
  readonly random: Random;
}

interface Run {
  readonly nowMs: () => number;
  readonly fraction: () => number;
  readonly violations: Forbidden[];
}

/**
 * Which calls belong to a run: those in its asynchronous context. Other code of the process, such as the test
 * runner's messages to its parent, is left alone.
 */
const current = new AsyncLocalStorage<Run>();

/**
 * Runs `body` such that libraries, too, use the virtual world: Date and Math.random return values of `world`,
 * and every call that needs timers, chance, sockets, files or threads throws a `Forbidden` that names it.
 * Such a call fails the run even where the library swallows the error. Afterwards the original functions are
 * restored, also after a throw.
 *
 * Modules must be loaded before (a static import does that): `require` within the run is let through;
 * `import()` waits in real time and leaves the loop `Stuck`. A library that stored a reference to a function
 * when it was loaded bypasses the replacement; asynchronous calls are then still detected and fail the run.
 * To catch the others as well, call `installSandbox` before that library is imported.
 */
export async function runInSandbox<T>(world: SandboxWorld, body: () => Promise<T>): Promise<T> {
  const stream = world.random.stream('sandbox/Math.random');
  const run: Run = {
    nowMs: () => world.time.nowMs(),
    fraction: () => stream.fraction(),
    violations: [],
  };
  const uninstall = installSandbox();
  watch();
  try {
    const result = await current.run(run, body);
    throwViolation(run, undefined);
    return result;
  } catch (error) {
    throwViolation(run, error);
    throw error;
  } finally {
    unwatch();
    uninstall();
  }
}

/** The first violation is reported as the reason, whatever error it led to. */
function throwViolation({ violations }: Run, error: unknown): void {
  const [first] = violations;
  if (first === undefined || first === error) return;
  if (error !== undefined) first.cause ??= error;
  throw first;
}

let installCount = 0;
const restores: (() => void)[] = [];

/**
 * Replaces the functions; outside a run the replacements call the originals. The returned function restores
 * the originals once every caller of `installSandbox` has called its own.
 */
export function installSandbox(): () => void {
  installCount += 1;
  if (installCount === 1) {
    replaceClock();
    for (const ban of BANS) {
      const holder = ban.holder();
      if (holder === undefined) continue;
      const names = ban.names === 'all' ? functionsOf(holder) : ban.names;
      for (const name of names) replaceFunction(holder, name, `${ban.prefix}${name}`, ban.instead);
    }
    syncBuiltinESMExports();
  }
  let isInstalled = true;
  return () => {
    if (!isInstalled) return;
    isInstalled = false;
    installCount -= 1;
    if (installCount > 0) return;
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

/** A proxy keeps the properties of the function, such as its promisified form. */
function replaceFunction(holder: object, name: string, what: string, instead: string): void {
  const original: unknown = Reflect.get(holder, name);
  if (typeof original !== 'function') return;
  replace(
    holder,
    name,
    new Proxy(original, {
      apply: (target, self, args) => {
        refuseCall(what, instead);
        return Reflect.apply(target, self, args);
      },
      construct: (target, args, newTarget) => {
        refuseCall(what, instead);
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

/** Throws if the call belongs to a run. */
function refuseCall(what: string, instead: string): void {
  const violation = noteViolation(what, instead);
  if (violation !== undefined) throw violation;
}

let isNoting = false;

function noteViolation(what: string, instead: string): Forbidden | undefined {
  const run = current.getStore();
  // Finding the caller may itself read a source map.
  if (run === undefined || isNoting) return undefined;
  isNoting = true;
  try {
    const caller = callSite();
    if (caller === undefined) return undefined;
    const violation = new Forbidden(what, caller, instead);
    run.violations.push(violation);
    return violation;
  } finally {
    isNoting = false;
  }
}

/** The second check. A hook must not throw, so a violation that it finds fails the run at its end. */
const watcher = createHook({
  trackPromises: false,
  init(_id, type) {
    const instead = BANNED_RESOURCES.get(type);
    if (instead !== undefined && !isOwnTurn()) noteViolation(type, instead);
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

/** More frames than any library uses; the caller is the nearest frame outside Node. */
const DEPTH = 64;

/** The test runner works at the same time as the simulation, with the real clock and real files. */
const TEST_RUNNER = /\/node_modules\/(vitest|@vitest|vite)\//;

/**
 * Reading a module's source, or looking for a native one: that changes when a module runs, not what it does.
 */
const MODULE_LOADER =
  /^node:internal\/modules\/|^node:internal\/bootstrap\/|\/node_modules\/better-sqlite3\/lib\/binding\.js$/;

/**
 * The file and line that called the banned function, ignoring frames of Node and of the sandbox itself, such
 * as `node_modules/foo/bar.js:12`. Undefined where the sandbox has to ignore the call: a call by the test
 * runner, or the loading of a module.
 */
function callSite(): string | undefined {
  for (const { scriptName, lineNumber } of util.getCallSites(DEPTH)) {
    if (MODULE_LOADER.test(scriptName)) return undefined;
    if (scriptName === '' || scriptName.startsWith('node:') || isSandbox(scriptName)) continue;
    if (TEST_RUNNER.test(scriptName)) return undefined;
    return `${shortName(scriptName)}:${lineNumber}`;
  }
  // A call by Node itself.
  return undefined;
}

function isSandbox(scriptName: string): boolean {
  return /\/world\/sandbox\/virtual-sandbox[a-z-]*\.[jt]s$/.test(scriptName);
}

function shortName(scriptName: string): string {
  const path = scriptName.replace(/^file:\/\//, '');
  const at = path.lastIndexOf('/node_modules/');
  if (at >= 0) return path.slice(at + 1);
  const home = `${process.cwd()}/`;
  return path.startsWith(home) ? path.slice(home.length) : path;
}
