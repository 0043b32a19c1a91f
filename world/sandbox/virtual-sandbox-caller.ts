import { getCallSites } from 'node:util';

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
export function callSite(): string | undefined {
  for (const { scriptName, lineNumber } of getCallSites(DEPTH)) {
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
