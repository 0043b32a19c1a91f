import { expect, test } from 'vitest';
import { drawScenario } from '../../../../scenarios/explore/swarm.ts';
import { readDocument } from '../../../../scenarios/language/document/read.ts';

const RUNS = Array.from({ length: 120 }, (_, index) => drawScenario(5, index + 1).document);
const SEVERAL = RUNS.filter(({ backends }) => backends !== undefined);
const steps = (documents: readonly (typeof RUNS)[number][]): string => JSON.stringify(documents);

test('about one run of four has several backends, two to four, and all can be read', () => {
  expect(SEVERAL.length).toBeGreaterThan(15);
  expect(SEVERAL.length).toBeLessThan(45);
  expect(new Set(SEVERAL.map(({ backends }) => backends))).toEqual(new Set([2, 3, 4]));
  for (const document of SEVERAL) expect(readDocument(document).ok).toBe(true);
});

test('one of several is paused, cut off and replaced, and no link of a single backend stalls', () => {
  for (const word of [
    '"pause"',
    '"cut_off"',
    '"crash":{"which"',
    '"restart"',
    '"wake_ups_lost"',
    '"wake_ups_late"',
  ])
    expect(steps(SEVERAL)).toContain(word);
  for (const word of ['"backend":{"half_open"', '"backend":{"stall"'])
    expect(steps(SEVERAL)).not.toContain(word);
});

test('where there is one backend nothing is done to one of several', () => {
  const others = RUNS.filter(({ backends }) => backends === undefined);
  for (const word of ['"pause"', '"cut_off"', '"wake_ups_']) expect(steps(others)).not.toContain(word);
});

test('in the end backends are replaced in good order under a slow store, after a calm minute, while boxes are asked', () => {
  for (const { steps: drawn = [] } of SEVERAL) {
    const all = drawn as readonly Record<string, unknown>[];
    const slow = all.findLast(({ break: broken }) => JSON.stringify(broken)?.includes('"slow"') === true);
    const last = all.slice(all.indexOf(slow as Record<string, unknown>));
    expect(JSON.stringify(last)).toContain('"restart":{"which"');
    expect(JSON.stringify(last)).toContain('"repeat"');
  }
});

test('some of them lead up to a promise of several backends: a set-up that waits, and a holder that is paused', () => {
  for (const word of ['"as":"waiting"', '"as":"reporting"']) {
    expect(steps(SEVERAL)).toContain(word);
    expect(steps(RUNS.filter(({ backends }) => backends === undefined))).not.toContain(word);
  }
});
