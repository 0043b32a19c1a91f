import { expect, test } from 'vitest';
import { drawScenario } from '../../../../scenarios/explore/swarm.ts';
import { readDocument } from '../../../../scenarios/language/document/read.ts';
import { exploreLimits } from '../../../../scenarios/limits.ts';

const RUNS = Array.from({ length: 300 }, (_, index) => drawScenario(1, index + 1).document);
const SEVERAL = RUNS.filter(({ backends }) => backends !== undefined);
const withText = (word: string) => RUNS.filter((document) => JSON.stringify(document).includes(word));

test('some runs with several backends have a bulk job or cars of a maker, while a backend begins or ends', () => {
  for (const word of ['"as":"slow-job"', '"as":"maker-cars"']) {
    const runs = withText(word);
    expect(runs.length).toBeGreaterThan(3);
    for (const document of runs) {
      expect(document['backends']).toBeGreaterThan(1);
      expect(readDocument(document).ok).toBe(true);
    }
  }
});

test('some runs limit the calls of each client, most of them with several backends', () => {
  const limited = RUNS.filter((document) => document['rate_limit'] !== undefined);
  const ofSeveral = SEVERAL.filter((document) => document['rate_limit'] !== undefined);
  expect(ofSeveral.length).toBeGreaterThan(SEVERAL.length / 6);
  expect(limited.length).toBeLessThan(RUNS.length / 4);
  for (const document of limited) {
    expect(document['rate_limit']).toBeGreaterThanOrEqual(exploreLimits.quotaLeast);
    expect(readDocument(document).ok).toBe(true);
  }
});
