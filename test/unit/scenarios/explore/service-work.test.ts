import { describe, expect, test } from 'vitest';
import { drawScenario } from '../../../../scenarios/explore/swarm.ts';
import { parseSpan } from '../../../../scenarios/language/document/quantity.ts';
import { parsedScenario } from '../../../support/scenarios/fake-runner.ts';

type Drawn = Readonly<Record<string, unknown>>;

const RUNS = Array.from({ length: 96 }, (_, run) => drawScenario(5, run + 1).document);
const groupsOf = (document: Drawn) => (document['fleet'] as readonly Drawn[]).map(({ as }) => String(as));
const isOfService = (as: string) => as.startsWith('service-');

describe('the work of a swarm that is about promises of the service', () => {
  test('is in every run with vehicles of its own, and in every third run it is all there is', () => {
    RUNS.forEach((document, index) => {
      const groups = groupsOf(document);
      expect(groups.some(isOfService)).toBe(true);
      expect(groups.every(isOfService)).toBe((index + 1) % 3 === 0);
      expect(parsedScenario(document).steps.length).toBeGreaterThan(1);
    });
  });

  test('breaks what it is about in some of the runs', () => {
    const broken = new Set(
      RUNS.flatMap((document) => document['steps'] as readonly Drawn[]).flatMap((step) =>
        Object.entries((step['break'] ?? {}) as Drawn).flatMap(([part, names]) =>
          Object.keys(names as object).map((name) => `${part} ${name}`),
        ),
      ),
    );
    for (const name of ['access client-deleted', 'access permissions-taken', 'exchange queue-deleted'])
      expect(broken).toContain(name);
  });

  test('lasts half a day now and then, past the end of a bulk job', () => {
    const long = RUNS.filter((document) =>
      (document['steps'] as readonly Drawn[]).some(
        ({ at }) => (parseSpan(String(at ?? '0s')) ?? 0) > 12 * 3_600_000,
      ),
    );
    expect(long.length).toBe(4);
  });

  test('is left out where another kind of work is asked for', () => {
    for (let run = 1; run <= 6; run += 1)
      expect(groupsOf(drawScenario(5, run, 'bulk').document).some(isOfService)).toBe(false);
  });
});
