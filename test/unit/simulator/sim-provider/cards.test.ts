import { describe, expect, test } from 'vitest';
import type { SimState } from '../../../../simulator/firmware/core/box-hardware.ts';
import { luhnDigit } from '../../../../simulator/fleet/fleet-plan.ts';
import { ChangedCards, spareCard } from '../../../../simulator/sim-provider/cards.ts';

const OLD = { provider: 'meridian', iccid: '8988299000000000017' };

function boxWith(sim: SimState) {
  let state = sim;
  const plan = { boxId: 'b1', sim: OLD } as Parameters<typeof spareCard>[0];
  return {
    plan,
    sim: () => state,
    setSim: (to: SimState) => {
      state = to;
    },
  };
}

describe('a card that was changed', () => {
  test('lies in a drawer with its state, where its provider can change it and nothing notices', () => {
    const cards = new ChangedCards();
    const box = boxWith('suspended');
    const spare = spareCard(box.plan, 'harbour');
    cards.put(box, spare);
    expect(cards.cardIn(box)).toEqual(spare);
    expect(box.sim()).toBe('active');
    const old = cards.find('meridian', OLD.iccid);
    expect(old?.sim()).toBe('suspended');
    old?.setSim('active');
    old?.setSim('detached');
    expect([old?.sim(), box.sim()]).toEqual(['active', 'active']);
    cards.find('harbour', spare.iccid)?.setSim('suspended');
    expect(box.sim()).toBe('suspended');
    cards.put(box, OLD);
    expect(box.sim()).toBe('active');
    expect(cards.find('harbour', spare.iccid)?.sim()).toBe('suspended');
  });

  test('is known to no other provider, and one that was never changed is left to the fleet', () => {
    const cards = new ChangedCards();
    expect(cards.find('meridian', OLD.iccid)).toBeUndefined();
    const box = boxWith('active');
    cards.put(box, spareCard(box.plan, 'tundra'));
    expect(cards.find('tundra', OLD.iccid)).toBeUndefined();
  });
});

test('a spare card has digits of its own with the right check digit, and is always the same', () => {
  const { plan } = boxWith('active');
  const spares = (['harbour', 'tundra'] as const).map((provider) => spareCard(plan, provider));
  expect(new Set([OLD, ...spares].map(({ iccid }) => iccid)).size).toBe(3);
  for (const { iccid } of spares) expect(luhnDigit(iccid.slice(0, -1))).toBe(iccid.at(-1));
  expect(spareCard(plan, 'harbour')).toEqual(spares[0]);
  expect(spareCard(plan, 'meridian')).toEqual(OLD);
});
