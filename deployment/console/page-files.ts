import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PageFile } from '../../console/server/page-routes.ts';
import { limits } from '../shared/limits.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the console's page by their paths: in the published package those of its build; in a checkout they are
 * built from the sources at the first request, and again once the sources are newer, so that no page is stale. Rejects
 * where that fails.
 */
export function consolePageFiles(): (path: string) => Promise<PageFile | undefined> {
  let folder: Promise<string> | undefined;
  return async (path) => {
    // Only a page is checked again: its scripts and styles come from the same build.
    if (path.endsWith('.html')) folder = undefined;
    folder ??= isCheckout() ? builtFromSources() : Promise.resolve(PACKAGED);
    return readPageFile(await folder, path);
  };
}

/** The file of that path below the folder; undefined: there is none, or it is of no kind that a page has. */
export async function readPageFile(root: string, path: string): Promise<PageFile | undefined> {
  const place = normalize(join(root, path));
  const mediaType = MEDIA_TYPES[extname(place)];
  if (!place.startsWith(root + sep) || mediaType === undefined) return undefined;
  try {
    return { bytes: await readFile(place), mediaType, isImmutable: path.startsWith('assets/') };
  } catch {
    return undefined;
  }
}

/** In the package the build's files, in a checkout the sources. */
const PACKAGED = fileURLToPath(new URL('../../console/page', import.meta.url));

function isCheckout(): boolean {
  return existsSync(join(PACKAGED, 'main.tsx'));
}

/** The builds in progress in this process, by their folders: two pages that are opened at once share one. */
const underWay = new Map<string, Promise<string>>();

async function builtFromSources(): Promise<string> {
  const cache = join(dirname(dirname(PACKAGED)), 'node_modules', '.cache', 'boxtwin');
  const sources = globSync('{page,stream}/**/*.{ts,tsx,css,html,svg}', { cwd: dirname(PACKAGED) });
  const newestMs = Math.max(...sources.map((name) => statSync(join(dirname(PACKAGED), name)).mtimeMs));
  // Named by its sources: a process that serves an older one keeps it while another process builds a newer one.
  const built = join(cache, `console-${Math.round(newestMs)}-${sources.length}`);
  if (existsSync(join(built, 'index.html'))) return built;
  const begun = underWay.get(built);
  if (begun !== undefined) return begun;
  // A failure is not kept: the sources may be fixed.
  const building = buildTo(built).finally(() => underWay.delete(built));
  underWay.set(built, building);
  return building;
}

/** Resolves with the folder of the build: that one, or another one where another process was faster. */
async function buildTo(built: string): Promise<string> {
  const cache = dirname(built);
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(`${built}-`);
  await promisify(execFile)(process.execPath, [builder(), fresh]);
  forgetOlder(cache);
  try {
    renameSync(fresh, built);
    return built;
  } catch {
    return fresh;
  }
}

/** Builds that are probably not served any more: those of yesterday and before. */
function forgetOlder(cache: string): void {
  for (const name of readdirSync(cache)) {
    const place = join(cache, name);
    if (Date.now() - statSync(place).mtimeMs > limits.consoleBuildsKeptMs)
      rmSync(place, { recursive: true, force: true });
  }
}

/** The program that builds the page. Throws where a checkout lacks its dependencies. */
function builder(): string {
  try {
    createRequire(import.meta.url).resolve('vite/package.json');
    return join(PACKAGED, 'build.ts');
  } catch {
    throw new Error(
      'In a checkout the console is built when it is first seen, and that needs the development dependencies: npm ci',
    );
  }
}
