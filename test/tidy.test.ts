import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Finding, inspectAmbient, inspectImports, inspectLength, ROOMS } from './tidy/rules.ts';

/** The rules of the house, held against every source file. See docs/architecture.md for why each stands. */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

function sources(folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder)) {
    if (entry === 'node_modules' || entry.startsWith('.')) continue;
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) found.push(...sources(path));
    else if (/\.(ts|js)$/.test(entry)) found.push(relative(root, path));
  }
  return found;
}

function exists(room: string): boolean {
  return statSync(join(root, room), { throwIfNoEntry: false }) !== undefined;
}

const files = [...ROOMS, 'test', 'bench', 'bin']
  .filter(exists)
  .flatMap((room) => sources(join(root, room)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const said = (findings: readonly Finding[]) => findings.map((f) => `${f.path}:${f.line} ${f.rule}`);

describe('tidy', () => {
  test('there are sources to look at', () => {
    expect(files.length).toBeGreaterThan(20);
  });

  test('every import keeps to the table of rooms and the homes of libraries', () => {
    expect(said(files.flatMap(inspectImports))).toEqual([]);
  });

  test('clock, chance, timers, environment and console stand only where they have their home', () => {
    expect(said(files.flatMap(inspectAmbient))).toEqual([]);
  });

  test('no file is over 400 lines', () => {
    const findings = files.flatMap(inspectLength);
    for (const long of findings.filter((f) => f.isWarning))
      process.stderr.write(`tidy: ${long.path} ${long.rule}\n`);
    expect(said(findings.filter((f) => !f.isWarning))).toEqual([]);
  });
});

describe('the tidy rules themselves', () => {
  const at = (path: string, text: string) => ({ path, text });

  test('an import across a wall is found with its line', () => {
    const [finding] = inspectImports(at('simulator/x.ts', "\nimport { a } from '../backend/y.ts';\n"));
    expect(finding).toMatchObject({ path: 'simulator/x.ts', line: 2 });
    expect(finding?.rule).toContain('simulator may import protocol, world');
  });

  test('a library away from its home is found', () => {
    expect(inspectImports(at('backend/ingest/x.ts', "import mqtt from 'mqtt';"))).toHaveLength(1);
    expect(inspectImports(at('world/real-link.ts', "import mqtt from 'mqtt';"))).toHaveLength(0);
  });

  test('ambient clock, chance and powers are found, but not in comments and strings', () => {
    expect(inspectAmbient(at('backend/x.ts', 'const t = Date.now();'))).toHaveLength(1);
    expect(inspectAmbient(at('backend/x.ts', 'const t = new Date();'))).toHaveLength(1);
    expect(
      inspectAmbient(at('backend/x.ts', 'const t = new Date(ms); // Date.now() is not here')),
    ).toHaveLength(0);
    expect(inspectAmbient(at('simulator/x.ts', 'const y = x ** 2;'))).toHaveLength(1);
    expect(inspectAmbient(at('simulator/x.ts', '/** doc ** comment */ const s = "a ** b";'))).toHaveLength(0);
    expect(inspectAmbient(at('world/real-time.ts', 'Date.now()'))).toHaveLength(0);
  });

  test('a long file is a warning at 250 lines and a failure past 400', () => {
    expect(inspectLength(at('a.ts', '\n'.repeat(251)))[0]?.isWarning).toBe(true);
    expect(inspectLength(at('a.ts', '\n'.repeat(401)))[0]?.isWarning).toBe(false);
  });
});
