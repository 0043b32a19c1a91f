import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** What npm would publish, packed and unpacked, in bytes: with the map and the editor of the console, and the API reference. */
const PACKED_BYTES = 4_000_000;
const UNPACKED_BYTES = 16_000_000;
const FILES = 3_500;

const checkout = join(import.meta.dirname, '..', '..');

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

describe('the package that npm would publish', () => {
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-package-'));
  let packed: Packed;
  let tarball: string;
  beforeAll(() => {
    // Built from a copy: other tests run what stands in the checkout.
    for (const path of run(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      checkout,
    ).split('\0')) {
      if (path === '' || path.startsWith('test/')) continue;
      mkdirSync(join(place, dirname(path)), { recursive: true });
      cpSync(join(checkout, path), join(place, path));
    }
    symlinkSync(join(checkout, 'node_modules'), join(place, 'node_modules'));
    const told = run('npm', ['pack', '--json', '--silent'], place);
    const [first] = JSON.parse(told.slice(told.indexOf('[\n'))) as readonly Packed[];
    if (first === undefined) throw new Error(told);
    packed = first;
    tarball = join(place, packed.filename);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test('says who publishes it, where it is developed and where faults are told', () => {
    const facts = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as object;
    for (const field of [
      'author',
      'homepage',
      'repository',
      'bugs',
      'license',
      'description',
      'engines',
      'keywords',
    ])
      expect(facts).toHaveProperty(field);
  });

  test('is no larger than it has reason to be, and holds neither tests nor sources nor what is secret', () => {
    expect(packed.size).toBeLessThan(PACKED_BYTES);
    expect(packed.unpackedSize).toBeLessThan(UNPACKED_BYTES);
    expect(packed.files.length).toBeLessThan(FILES);
    // Examples are sources: whoever has them runs them outside of node_modules.
    const strange = packed.files.filter(({ path }) =>
      /^(test|qa|\.ci|node_modules)\/|(^|\/)\.|^(?!examples\/).*(?<!\.d)\.tsx?$/.test(path),
    );
    expect(packed.files.map(({ path }) => path)).toContain('examples/car-sharing/main.ts');
    expect(strange).toEqual([]);
  });

  // Their programs, not their modules: `npm run check` stands before this folder's own installation.
  test('has nothing that publint finds', () => {
    expect(run(tool('publint'), ['--strict', tarball], place)).toContain('All good!');
  });

  test('gives the types of every entry to whoever imports it as a module', () => {
    // It is a module alone: older resolution, and `require` from CommonJS without types, are not promised.
    const told = run(tool('attw'), [tarball, '--profile', 'esm-only', '--format', 'json'], place);
    expect(JSON.parse(told)).toMatchObject({ analysis: { types: { kind: 'included' } } });
  });
});

function tool(name: string): string {
  return join(import.meta.dirname, 'node_modules', '.bin', name);
}

/** What the program printed. Throws, with what it printed, where it ends with another code than 0. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
