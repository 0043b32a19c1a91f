import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectIdioms, outdatedExceptions } from './idioms.ts';
import { ROOMS } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');

const files = globSync(`{${ROOMS.join(',')}}/**/*.{ts,tsx,css}`, { cwd: ROOT })
  .filter((path) => !path.includes('node_modules'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe('plain English', () => {
  test('the rooms of the product have no private idiom, but for those that an exception names', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap(inspectIdioms).map((one) => `${one.path}:${one.line} ${one.rule}`)).toEqual([]);
  });

  test('no exception outlives what it is for', () => {
    expect(outdatedExceptions(files), 'remove these from REMAINING in test/tidy/idioms.ts').toEqual([]);
  });

  test.each([
    'The caller is told at once.',
    'what whoever reads it sees',
    'the car stands in a garage',
    'a fault that has struck',
    'lift the fault',
    'What is to be seen while it runs',
    'for so many seconds a silent vehicle is waited for',
    'it cannot be had here',
    'Leave it away.',
    'facts that were let go of',
    'a box on the shelf',
    'where the code flow may lead back to',
    'five in a hundred vehicles',
    'an account of yours',
  ])('an idiom is found: %s', (text) => {
    expect(inspectIdioms({ path: 'contract/x.ts', text })).toHaveLength(1);
  });

  test('abbreviations, and rooms that are not of the product, may use these words', () => {
    expect(inspectIdioms({ path: 'contract/x.ts', text: 'VIN stands for a number' })).toEqual([]);
    expect(inspectIdioms({ path: 'test/x.ts', text: 'is told' })).toEqual([]);
  });
});
