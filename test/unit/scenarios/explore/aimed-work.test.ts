import { describe, expect, test } from 'vitest';
import { drawScenario } from '../../../../scenarios/explore/swarm.ts';
import { parseSpan } from '../../../../scenarios/language/document/quantity.ts';

type Drawn = Readonly<Record<string, unknown>>;

/** The groups and steps of the first runs of a seed. */
const RUNS = Array.from({ length: 60 }, (_, run) => drawScenario(3, run + 1).document).map((document) => ({
  fleet: document['fleet'] as readonly Drawn[],
  steps: document['steps'] as readonly Drawn[],
}));
const commandOf = ({ call }: Drawn) => (call as { readonly command?: string } | undefined)?.command;
const msOf = ({ at }: Drawn) => parseSpan(String(at)) ?? 0;
const runsWith = (isSo: (steps: readonly Drawn[]) => boolean) =>
  RUNS.filter(({ steps }) => isSo(steps)).length;

describe('the aimed work of a swarm', () => {
  test('asks a box within the second after each kind of reset', () => {
    for (const reset of ['board-reset', 'modem-reset', 'data-connection-reset', 'switch-mobile-network']) {
      const isAsked = (steps: readonly Drawn[]) =>
        steps.some((step) => {
          const { group, box } = (step['on'] ?? {}) as Drawn;
          return (
            commandOf(step) === reset &&
            steps.some((other) => {
              const of = (other['on'] ?? {}) as Drawn;
              const laterMs = msOf(other) - msOf(step);
              return of['group'] === group && of['box'] === box && laterMs > 100 && laterMs <= 1_000;
            })
          );
        });
      expect(runsWith(isAsked), reset).toBeGreaterThan(2);
    }
  });

  test('makes requests late by more than their expiry', () => {
    const isLate = ({ weather }: Drawn) => {
      const { delay } = (weather ?? {}) as { readonly delay?: Drawn };
      return delay?.['message'] === 'command-request' && (parseSpan(String(delay['by'])) ?? 0) > 20_000;
    };
    expect(runsWith((steps) => steps.some(isLate))).toBeGreaterThan(2);
  });

  test('lets requests and replies come once more much later, and has pairs of writes to one object', () => {
    const againOf = (steps: readonly Drawn[]) =>
      steps.flatMap(({ weather }) => {
        const { double } = (weather ?? {}) as { readonly double?: Drawn };
        const isLate = (parseSpan(String(double?.['by'])) ?? 0) >= 5_000;
        return isLate ? [String(double?.['message'])] : [];
      });
    const again = RUNS.flatMap(({ steps }) => againOf(steps));
    for (const message of ['command-request', 'command-reply']) expect(again).toContain(message);
    expect(again.length).toBeGreaterThan(3);
    const isPair = (steps: readonly Drawn[]) =>
      steps.some((step) => {
        const isConfigure = ({ call, on }: Drawn) =>
          'tracking' in (((call as Drawn | undefined)?.['configure'] ?? {}) as Drawn) &&
          JSON.stringify(on) === JSON.stringify(step['on']);
        return isConfigure(step) && steps.some((one) => isConfigure(one) && msOf(one) >= msOf(step) + 19_000);
      });
    expect(runsWith(isPair)).toBeGreaterThan(3);
  });

  test('has vehicles that are driven faster than the streets allow', () => {
    const isFast = ({ drive }: Drawn) => Number((drive as Drawn | undefined)?.['pace'] ?? 0) > 1;
    expect(runsWith((steps) => steps.some(isFast))).toBeGreaterThan(5);
  });

  test('has a box that changes vehicles, one with a small journal, and others for a promise each', () => {
    const groups = RUNS.flatMap(({ fleet }) => fleet);
    expect(groups.filter(({ as }) => as === 'moved').length).toBeGreaterThan(3);
    expect(groups.filter(({ as }) => as === 'small').length).toBeGreaterThan(5);
    for (const name of ['asked', 'updated', 'overtaken', 'doubled', 'slow', 'offered'])
      expect(groups.filter(({ as }) => as === name).length, name).toBeGreaterThan(3);
    expect(new Set(groups.map(({ as }) => as)).size).toBeGreaterThan(5);
  });
});
