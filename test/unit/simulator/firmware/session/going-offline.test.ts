import { describe, expect, test } from 'vitest';
import { bluetoothPhase } from '../../../../../simulator/firmware/bluetooth/bluetooth.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { TestBox } from '../../../../support/firmware/test-box.ts';

/** A box that was asked for a reset and has said goodbye: the broker has not taken the goodbyes yet. */
function leaving(): TestBox {
  const rig = new TestBox().ready();
  rig.command('board-reset');
  rig.acknowledgeAll();
  while (rig.state.ram.goingOffline === undefined) {
    rig.receiptAll();
    rig.pass(100);
  }
  expect(rig.told().map(({ kind }) => kind)).toContain('going-down');
  rig.effects = [];
  return rig;
}

describe('a box that goes offline', () => {
  test('hangs up once the broker has taken its goodbyes', () => {
    const rig = leaving();
    rig.pass(limits.goodbyeMs - 1);
    // Something else wakes it.
    rig.tick();
    expect(rig.kinds()).toEqual([]);
    rig.acknowledgeAll();
    expect(rig.kinds()).toEqual(['disconnect', 'reset']);
  });

  test('waits for the broker no longer than it may', () => {
    const rig = leaving();
    rig.pass(limits.goodbyeMs);
    expect(rig.kinds()).toEqual(['disconnect', 'reset']);
  });

  test('answers no request again that it has answered', () => {
    const rig = leaving();
    rig.command('board-reset');
    expect(rig.told()).toEqual([]);
  });
});

test('a reset from outside cuts the link without a goodbye', () => {
  const rig = new TestBox().ready();
  rig.feed({ kind: 'reset', reason: 'USER' });
  expect(rig.kinds()).toEqual(['drop', 'reset']);
});

test('a box that hangs notices what the broker has taken', () => {
  const rig = new TestBox().ready();
  rig.tick({ anyDoorOpen: true });
  rig.feed({ kind: 'hang', forMs: 10_000 });
  expect(rig.state.ram.outbox.inFlight).toHaveLength(1);
  rig.acknowledgeAll();
  expect(rig.state.ram.outbox.inFlight).toEqual([]);
});

test('Bluetooth is being reset until it is back', () => {
  const rig = new TestBox().ready();
  expect(bluetoothPhase(rig.state)).toBe('on');
  rig.command('ble-reset');
  rig.acknowledgeAll();
  expect(bluetoothPhase(rig.state)).toBe('resetting');
  rig.receiptAll();
  rig.pass(60_000);
  expect(bluetoothPhase(rig.state)).toBe('on');
});
