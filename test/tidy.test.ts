import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HEAVY_FILES } from './support/run/heavy-files.ts';
import { CIRCLE_FILES, inspectCircles } from './tidy/circles.ts';
import { FOLDER_FILES, inspectFolders, inspectTestHelpers } from './tidy/folders.ts';
import { FUNCTION_LINES, longFunctions } from './tidy/functions.ts';
import { inspectLayers, LAYERS, mutualFolders } from './tidy/layers.ts';
import {
  type Finding,
  inspectAmbient,
  inspectImports,
  inspectLength,
  inspectSpreads,
  ROOMS,
} from './tidy/rules.ts';

/** The rules of the house, held against every source file. See docs/architecture.md for why each stands. */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

function sources(folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder)) {
    if (entry === 'node_modules' || entry.startsWith('.')) continue;
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) found.push(...sources(path));
    else if (/\.(tsx?|js)$/.test(entry)) found.push(relative(root, path));
  }
  return found;
}

function exists(room: string): boolean {
  return statSync(join(root, room), { throwIfNoEntry: false }) !== undefined;
}

const files = [...ROOMS, 'test', 'qa', 'bin']
  .filter(exists)
  .flatMap((room) => sources(join(root, room)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const sourcesOfRooms = files.filter(
  ({ path }) => ROOMS.some((room) => path.startsWith(`${room}/`)) && /\.tsx?$/.test(path),
);

const paths = files.map(({ path }) => path);

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

  test('no object literal is spread', () => {
    expect(said(files.flatMap(inspectSpreads))).toEqual([]);
  });

  test('no function has more lines than the bound', () => {
    const found = sourcesOfRooms.flatMap(longFunctions).map(({ name }) => name);
    expect(found).toEqual([]);
  });

  test('every import inside a room with layers goes to a lower layer', () => {
    expect(said(inspectLayers(sourcesOfRooms, LAYERS))).toEqual([]);
  });

  test('no two folders of a room import each other', () => {
    expect(mutualFolders(sourcesOfRooms, LAYERS)).toEqual([]);
  });

  test('every heavy file is one that is there, and that no other pattern names', () => {
    const named = HEAVY_FILES.flatMap((pattern) => globSync(pattern, { cwd: root }));
    expect(HEAVY_FILES.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
    expect(named.length).toBeGreaterThan(HEAVY_FILES.length);
    expect(named.toSorted()).toEqual([...new Set(named)].toSorted());
    expect(named.filter((path) => !path.endsWith('.test.ts') || path.startsWith('test/all/'))).toEqual([]);
  });

  test('no import circle is larger than the limit, types included', () => {
    expect(said(inspectCircles(files))).toEqual([]);
  });

  test('no source folder holds more files than the limit', () => {
    expect(said(inspectFolders(paths))).toEqual([]);
  });

  test('helpers of tests stand in test/support, and tests do not', () => {
    expect(said(inspectTestHelpers(paths))).toEqual([]);
  });
});

describe('the tidy rules themselves', () => {
  const at = (path: string, text: string) => ({ path, text });

  test('an import across a wall is found with its line', () => {
    const [finding] = inspectImports(at('simulator/x.ts', "\nimport { a } from '../backend/y.ts';\n"));
    expect(finding).toMatchObject({ path: 'simulator/x.ts', line: 2 });
    expect(finding?.rule).toContain('simulator may import protocol, contract, world');
  });

  test('a library away from its home is found', () => {
    expect(inspectImports(at('backend/ingest/x.ts', "import mqtt from 'mqtt';"))).toHaveLength(1);
    expect(inspectImports(at('world/mqtt/real-mqtt-client.ts', "import mqtt from 'mqtt';"))).toHaveLength(0);
  });

  test('ambient clock, chance and powers are found, but not in comments and strings', () => {
    expect(inspectAmbient(at('backend/x.ts', 'const t = Date.now();'))).toHaveLength(1);
    expect(inspectAmbient(at('judge/x.ts', 'const t = Date.now();'))).toHaveLength(1);
    expect(inspectAmbient(at('judge/x.ts', 'const y = Math.sin(x);'))).toHaveLength(1);
    expect(inspectAmbient(at('backend/x.ts', 'const t = new Date();'))).toHaveLength(1);
    expect(
      inspectAmbient(at('backend/x.ts', 'const t = new Date(ms); // Date.now() is not here')),
    ).toHaveLength(0);
    expect(inspectAmbient(at('simulator/x.ts', 'const y = x ** 2;'))).toHaveLength(1);
    expect(inspectAmbient(at('simulator/x.ts', '/** doc ** comment */ const s = "a ** b";'))).toHaveLength(0);
    expect(inspectAmbient(at('world/time/real-time.ts', 'Date.now()'))).toHaveLength(0);
  });

  test('a long file is a warning at 250 lines and a failure past 400', () => {
    expect(inspectLength(at('a.ts', '\n'.repeat(251)))[0]?.isWarning).toBe(true);
    expect(inspectLength(at('a.ts', '\n'.repeat(401)))[0]?.isWarning).toBe(false);
  });

  test('a spread of an object literal is found, and not of a variable, a call or a choice', () => {
    expect(inspectSpreads(at('cli/x.ts', 'f({\n  ...{ a, b },\n  ...({ c }) })'))).toMatchObject([
      { line: 2 },
      { line: 3 },
    ]);
    const others = "f({ ...a, ...b(), ...(c ? { d } : {}) }, ...[1]); // ...{ e }\nconst s = '...{ f }';";
    expect(inspectSpreads(at('cli/x.ts', others))).toEqual([]);
  });

  test('a function over the bound is found by its name, whatever its form', () => {
    const body = '\n'.repeat(FUNCTION_LINES - 1);
    const forms: readonly [string, (lines: string) => string][] = [
      ['plain', (lines) => `function plain() {${lines}}`],
      ['arrow', (lines) => `const arrow = async <T>(x: T) => {${lines}};`],
      ['method', (lines) => `class A {\n  static async method(x: string): Promise<void> {${lines}}\n}`],
      ['inner', (lines) => `export default { inner: (a = '}') => [() => {${lines}}] };`],
    ];
    for (const [name, source] of forms) {
      expect(longFunctions(at('cli/x.ts', `\n${source(body)}`))).toEqual([]);
      const found = longFunctions(at('cli/x.ts', `\n${source(`${body}\n`)}`));
      expect(found[0]).toMatchObject({ name: `cli/x.ts ${name}`, lines: FUNCTION_LINES + 1 });
    }
  });

  test('folders that import each other are found, those of types and of the room itself included', () => {
    const planted = [
      at('world/a/x.ts', "import '../b/y.ts';"),
      at('world/b/y.ts', "import type { Z } from '../a/deep/z.ts';"),
      at('world/a/w.ts', "import '../limits.ts';"),
      at('world/world.ts', "import './b/y.ts';"),
      at('world/b/v.ts', "import '../world.ts';"),
    ];
    expect(mutualFolders(planted, {}).toSorted()).toEqual(['world <> world/b', 'world/a <> world/b']);
    expect(mutualFolders(planted, { world: [] })).toEqual([]);
  });

  test('an import upward or sideways, a folder without a layer and a layer without a folder are found', () => {
    const layers = { world: [['limits.ts'], ['a', 'b'], ['c']] };
    const inspected = (path: string, target: string) => {
      const there = ['limits.ts', 'a/a.ts', 'b/b.ts', 'c/c.ts'].map((file) => at(`world/${file}`, ''));
      return said(inspectLayers([...there, at(path, `import '${target}';`)], layers));
    };
    const refused = (part: string) =>
      `imports world/${part}, which is not in a lower layer (test/tidy/layers.ts)`;
    expect(inspected('world/a/x.ts', '../limits.ts')).toEqual([]);
    expect(inspected('world/c/x.ts', '../a/a.ts')).toEqual([]);
    expect(inspected('world/world.ts', './c/c.ts')).toEqual([]);
    expect(inspected('world/a/x.ts', './deep/y.ts')).toEqual([]);
    expect(inspected('world/a/x.ts', '../b/b.ts')).toEqual([`world/a/x.ts:1 ${refused('b')}`]);
    expect(inspected('world/a/x.ts', '../c/c.ts')).toEqual([`world/a/x.ts:1 ${refused('c')}`]);
    expect(inspected('world/c/x.ts', '../world.ts')).toEqual([`world/c/x.ts:1 ${refused('.')}`]);
    const base = [['.'], ['a']];
    expect(said(inspectLayers([at('world/a/a.ts', "import '../world.ts';")], { world: base }))).toEqual([]);
    expect(
      said(
        inspectLayers([at('world/world.ts', "import './a/a.ts';"), at('world/a/a.ts', '')], { world: base }),
      ),
    ).toEqual([`world/world.ts:1 ${refused('a')}`]);
    expect(inspected('world/d/x.ts', 'node:path')).toEqual([
      'world/d/:1 has no layer: give it one in test/tidy/layers.ts',
    ]);
    expect(said(inspectLayers([at('world/a/a.ts', '')], { world: [['a', 'b']] }))).toEqual([
      'world/b:1 has a layer in test/tidy/layers.ts and does not exist',
    ]);
  });

  /** `count` files of which each imports the next in that manner, and the last one the first. */
  const ring = (count: number, manner: (target: string) => string) =>
    Array.from({ length: count }, (_, number) =>
      at(`world/ring/${number}.ts`, manner(`./${(number + 1) % count}.ts`)),
    );

  test.each<[string, (target: string) => string]>([
    ['values', (target) => `import { a } from '${target}';`],
    ['types', (target) => `import type { A } from '${target}';`],
    ['several lines', (target) => `import {\n  type A,\n  b,\n} from '${target}';`],
    ['types in place', (target) => `let a: import('${target}').A;`],
    ['re-exports', (target) => `export { a } from '${target}';`],
  ])('a planted import circle of %s is found with all of its files once it is too large', (_, manner) => {
    expect(inspectCircles(ring(CIRCLE_FILES, manner))).toEqual([]);
    const planted = ring(CIRCLE_FILES + 1, manner);
    const [finding, ...more] = inspectCircles([at('world/out.ts', manner('./ring/0.ts')), ...planted]);
    expect(more).toEqual([]);
    expect(finding?.path).toBe('world/ring/0.ts');
    for (const { path } of planted.slice(1)) expect(finding?.rule).toContain(path);
    expect(finding?.rule).not.toContain('world/out.ts');
  });

  test('circles that share a file are one, however its parts are passed through', () => {
    const half = Math.ceil(CIRCLE_FILES / 2);
    const loops = ['a', 'b'].flatMap((name) =>
      Array.from({ length: half }, (_, number) => {
        const next = number + 1 < half ? `./${name}${number + 1}.ts` : './hub.ts';
        return at(`cli/${name}${number}.ts`, `import '${next}';`);
      }),
    );
    const hub = at('cli/hub.ts', "import './a0.ts';\nimport './b0.ts';");
    expect(inspectCircles([...loops, hub])).toHaveLength(1);
  });

  test('imports without a way back, or in a comment, are no circle', () => {
    const planted = ring(CIRCLE_FILES + 1, (target) => `import { a } from '${target}';`);
    const chain = planted.slice(1);
    expect(inspectCircles(planted)).toHaveLength(1);
    expect(inspectCircles(chain)).toEqual([]);
    const commented = at('world/ring/0.ts', "// import { a } from './1.ts';");
    expect(inspectCircles([commented, ...chain])).toEqual([]);
  });

  test('a folder that holds too many files is found; folders of tests may', () => {
    const filled = (folder: string, count: number, end = 'ts') =>
      Array.from({ length: count }, (_, number) => `${folder}/${number}.${end}`);
    for (const folder of ['backend/x', 'cli', 'test/support/x']) {
      expect(inspectFolders(filled(folder, FOLDER_FILES))).toEqual([]);
      expect(said(inspectFolders(filled(folder, FOLDER_FILES + 1)))).toEqual([
        `${folder}/:1 holds ${FOLDER_FILES + 1} files, more than ${FOLDER_FILES}`,
      ]);
    }
    expect(inspectFolders(filled('test/unit', FOLDER_FILES + 1, 'test.ts'))).toEqual([]);
    expect(inspectFolders(filled('scenarios/stories', FOLDER_FILES + 1, 'yaml'))).toEqual([]);
    expect(
      inspectFolders([...filled('world/x', FOLDER_FILES), ...filled('world/x/y', FOLDER_FILES)]),
    ).toEqual([]);
  });

  test('a helper among the tests is found, and a test among the helpers', () => {
    const found = (path: string) => inspectTestHelpers([path]).length;
    expect(found('test/unit/world/helper.ts')).toBe(1);
    expect(found('test/helper.ts')).toBe(1);
    expect(found('test/support/world/x.test.ts')).toBe(1);
    expect(found('test/support/world/helper.ts')).toBe(0);
    expect(found('test/contracts/files-contract.ts')).toBe(0);
    expect(found('test/unit/world/x.test.ts')).toBe(0);
    expect(found('backend/service.ts')).toBe(0);
  });
});
