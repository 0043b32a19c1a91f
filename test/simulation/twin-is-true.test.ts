import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../scenarios/language/document/read.ts';
import { type GeneratorOptions, generateDocument } from '../../scenarios/language/vary/generate.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';

/** A working day. */
const HOURS = 8;

/** What happens to vehicles on an ordinary day, and to their boxes on a bad one. */
const DAY: GeneratorOptions = {
  acts: [
    'drive',
    'park',
    'open',
    'close',
    'charge',
    'unplug',
    'ignition',
    'center-stand',
    'bluetooth',
    'gear',
    'refuel',
    'sensor',
    'workshop',
    'mechanics',
    'tow',
  ],
  calls: ['command', 'configure'],
  weather: ['coverage', 'half_open', 'cut', 'roaming', 'signal'],
  breaks: {
    box: ['brown-out', 'watchdog', 'reset', 'power-loss', 'clock-jump', 'installation', 'gnss-lost', 'hang'],
    backend: ['restart'],
  },
  expectations: [],
  mostSteps: 20,
  mostVehicles: 3,
  longestMs: 7 * 3_600_000,
};

/** A day with this seed; at its end all vehicles park, with this much time to report. */
async function dayOf(seed: number, afterwardsS: number): Promise<RunOutcome> {
  const drawn = generateDocument(seededRandom(seed).stream('day'), `day-${seed}`, DAY);
  const document = {
    ...drawn,
    // No settings that a box would refuse, and no reports every second, which would leave time for little else.
    fleet: (drawn['fleet'] as readonly object[]).map((group) => ({ ...group, features: 'none' })),
    steps: [...(drawn['steps'] as readonly object[]), { at: `${HOURS}h`, park: {} }],
    limits: { duration: `${HOURS * 3_600 + afterwardsS}s` },
    always: [],
  };
  const read = readDocument(document);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return runVirtual(read.scenario);
}

describe('at the end of a random day', () => {
  test('the API shows the state of each vehicle at its time, and of parked ones the current state', async () => {
    let values = 0;
    let now = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 1_000_000 }),
        fc.integer({ min: 0, max: 60 }),
        async (seed, afterwardsS) => {
          const { verdict, reason, checkers } = await dayOf(seed, afterwardsS);
          const told = checkers.find(({ checker }) => checker === 'twin-is-true');
          expect({ verdict, reason, findings: told?.findings.map(({ text }) => text) }).toEqual({
            verdict: 'passed',
            reason: undefined,
            findings: [],
          });
          // "Nothing was compared: 0 values of 2 vehicles, 0 of them …" where no vehicle is as it may be compared.
          const [, compared, asNow] =
            /([\d,]+) values? of .*?, ([\d,]+) of them/.exec(told?.text ?? '') ?? [];
          values += Number(compared);
          now += Number(asNow);
        },
      ),
      { numRuns: 9 },
    );
    // Where nothing is compared, nothing is tested.
    expect(values).toBeGreaterThan(500);
    expect(now).toBeGreaterThan(60);
  }, 120_000);
});
