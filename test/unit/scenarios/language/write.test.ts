import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateDocument } from '../../../../scenarios/language/generate.ts';
import { readDocument, readScenario } from '../../../../scenarios/language/read.ts';
import { writeScenario } from '../../../../scenarios/language/write.ts';
import { seededRandom } from '../../../../world/seeded-random.ts';
import { TUNNEL } from './tunnel.ts';

/** The scenario that a text is, or the reason why it is none. */
function scenarioOf(text: string) {
  const reading = readScenario(text, 'written.yaml');
  if (!reading.ok) throw new Error(`${JSON.stringify(reading.problems[0])}\n${text}`);
  return reading.scenario;
}

describe('writing a scenario', () => {
  it('writes the tunnel nearly as a person did', () => {
    expect(writeScenario(scenarioOf(TUNNEL))).toBe(
      TUNNEL.replace('90s', '1m30s')
        .replace('60s', '1m')
        .replaceAll(/\[(nothing-lost[^\]]*|"2[^\]]*)\]/g, '[ $1 ]'),
    );
  });

  it('writes what reads as the same scenario, whatever the tables offer', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const checked = readDocument(generateDocument(seededRandom(seed).stream('scenario'), 'drawn'));
        if (!checked.ok) throw new Error(JSON.stringify(checked.faults[0]));
        expect(scenarioOf(writeScenario(checked.scenario))).toEqual(checked.scenario);
      }),
      { numRuns: 30 },
    );
  });

  it('leaves out the checker that is asked in any case, as a person does', () => {
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
