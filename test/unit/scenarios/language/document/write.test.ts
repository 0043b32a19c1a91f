import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument, readScenario } from '../../../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../../../scenarios/language/document/scenario.ts';
import { toDocument } from '../../../../../scenarios/language/document/to-document.ts';
import { writeDocument } from '../../../../../scenarios/language/document/write.ts';
import { generateDocument } from '../../../../../scenarios/language/vary/generate.ts';
import { seededRandom } from '../../../../../world/random/seeded-random.ts';
import { TUNNEL } from '../../../../support/scenarios/tunnel-example.ts';

const writeScenario = (scenario: Scenario): string => writeDocument(toDocument(scenario));

/** The scenario that a text is, without the lines of its steps, or the reason why it is none. */
function scenarioOf(text: string) {
  const reading = readScenario(text, 'written.yaml');
  if (!reading.ok) throw new Error(`${JSON.stringify(reading.problems[0])}\n${text}`);
  const { stepLines: _, ...scenario } = reading.scenario;
  return scenario;
}

describe('writing a scenario', () => {
  it('writes the tunnel almost like the handwritten file', () => {
    expect(writeScenario(scenarioOf(TUNNEL))).toBe(
      TUNNEL.replace('90s', '1m30s')
        .replace('60s', '1m')
        .replaceAll(/\[(nothing-lost[^\]]*|"2[^\]]*)\]/g, '[ $1 ]'),
    );
  });

  it('writes a file that is read as the same scenario, for everything in the tables', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const checked = readDocument(generateDocument(seededRandom(seed).stream('scenario'), 'drawn'));
        if (!checked.ok) throw new Error(JSON.stringify(checked.faults[0]));
        expect(scenarioOf(writeScenario(checked.scenario))).toEqual(checked.scenario);
      }),
      { numRuns: 30 },
    );
  });

  it('leaves out the checker that always runs', () => {
    const scenario = scenarioOf(TUNNEL.replace(/always: .*/, 'always: [heals]'));
    expect(scenario.always).toEqual(['twin-is-true', 'heals']);
    expect(writeScenario(scenario)).toContain('always: [ heals ]');
    expect(scenarioOf(TUNNEL.replace(/always: .*/, 'always: []')).always).toEqual(['twin-is-true']);
  });

  it('keeps labels, clients, choices and limits', () => {
    const text = TUNNEL.replace('at: 0s,', 'label: start, at: 0s,')
      .replace('fleet:', 'clients: [{ name: night, fleet: partner, permissions: [vehicles.ro] }]\nfleet:')
      .replace('always:', 'limits: { duration: 1d, heal: 5m }\nalways:');
    const scenario = scenarioOf(text);
    expect(scenario.limits).toEqual({ durationMs: 86_400_000, healMs: 300_000 });
    expect(scenarioOf(writeScenario(scenario))).toEqual(scenario);
  });
});
