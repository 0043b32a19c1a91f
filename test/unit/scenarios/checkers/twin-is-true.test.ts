import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROPERTIES, valueRow } from '../../../../backend/vehicles/properties.ts';
import { isOfMaintenance, TRUE_VALUES, WATCHED } from '../../../../scenarios/checkers/true-values.ts';
import { twinIsTrue } from '../../../../scenarios/checkers/twin-is-true.ts';
import { spansOf } from '../../../../scenarios/checkers/twin-moments.ts';
import { rightHistory, scopeOf } from './history.ts';

const NOW = 1_767_592_800_000;

function historyOf() {
  const [history] = fc.sample(rightHistory, 1);
  if (history === undefined) throw new Error('nothing was drawn');
  return history;
}

describe('the table of what is true', () => {
  test('has a row for every property of the vehicle state, of the quantity that the contract names', () => {
    expect(new Set(Object.keys(TRUE_VALUES))).toEqual(new Set(Object.keys(PROPERTIES)));
    for (const [name, { quantity }] of Object.entries(TRUE_VALUES)) {
      const row = valueRow(name);
      if (quantity !== undefined)
        expect([name, (row as { of?: string }).of ?? 'ignitionOn']).toEqual([name, quantity]);
      expect([name, isOfMaintenance(name)]).toEqual([name, row?.maintenance === true]);
    }
    for (const name of WATCHED) expect(TRUE_VALUES).toHaveProperty(name);
  });
});

describe('what is compared', () => {
  test('is told with its number, and what is not with its reason', async () => {
    const history = historyOf();
    const scope = scopeOf(history);
    const { seen, findings } = await twinIsTrue(scope);
    expect(findings).toEqual([]);
    expect(seen).toMatch(/^\d+ values of [23] vehicles, \d+ of them as they are now$/);

    const look = scope.theatre.look;
    const away = {
      ...scope,
      theatre: { ...scope.theatre, look: (player: never) => ({ ...look(player), held: 3 }) },
    };
    const other = await twinIsTrue(away);
    expect(other.seen).toMatch(/, 0 of them as they are now; not compared: \d+ values \(its box is away/);
  });

  test('of a box that is away is still what was so at its own time', async () => {
    const history = historyOf();
    const scope = scopeOf(history);
    for (const told of history.vehicles)
      told.truth = { ...told.truth, locked: told.truth['locked'] !== true };
    const look = scope.theatre.look;
    const away = {
      ...scope,
      theatre: { ...scope.theatre, look: (player: never) => ({ ...look(player), isConnected: false }) },
    };
    const { findings } = await twinIsTrue(away);
    expect(findings[0]?.text).toContain('the twin is not true');
  });
});

describe('the times that a whole second of the API can mean', () => {
  test('hold the true one, however far the clock of the box was off', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5_000_000, max: 5_000_000 }),
        fc.integer({ min: 0, max: 600_000 }),
        fc.integer({ min: 0, max: 400_000 }),
        (errorMs, agoMs, underWayMs) => {
          const atMs = NOW - agoMs;
          const told = Math.min(atMs + errorMs, Math.min(NOW, atMs + underWayMs));
          const second = Math.floor(told / 1_000) * 1_000;
          const clocks = [{ fromMs: NOW - 86_400_000, errorMs }];
          const isHeld = spansOf(second, clocks, NOW).some(([from, to]) => from <= atMs && atMs <= to);
          expect(isHeld).toBe(true);
        },
      ),
    );
  });

  test('are that second alone where the clock is right', () => {
    const [span, ...more] = spansOf(NOW, [{ fromMs: NOW - 1_000_000, errorMs: 0 }], NOW + 60_000);
    expect(more).toEqual([]);
    expect((span?.[1] ?? 0) - (span?.[0] ?? 0)).toBeLessThan(1_300);
  });
});
