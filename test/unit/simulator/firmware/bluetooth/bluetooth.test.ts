import { describe, expect, test } from 'vitest';
import type { BluetoothToken } from '../../../../../protocol/bluetooth.ts';
import type { Setting } from '../../../../../protocol/settings.ts';
import type { FirmwareEffect } from '../../../../../simulator/firmware/core/effect.ts';
import { counterMs } from '../../../../../simulator/firmware/power/rtc.ts';
import { limits } from '../../../../../simulator/limits.ts';
import type { SensorInputs } from '../../../../../simulator/vehicle/sensing/vehicle-ports.ts';
import { BOX_FACTS, requestId, START_MS, TestBox } from '../../../../support/firmware/test-box.ts';

const TOKEN: BluetoothToken = {
  id: requestId(77),
  boxId: BOX_FACTS.boxId,
  allows: ['unlock', 'lock', 'unlock-and-enable-driving', 'unlock-top-case'],
  uses: 3,
  expiresMs: START_MS + 3_600_000,
};

/** What a box is asked, and what it answers at once. */
function ask(
  rig: TestBox,
  change: Partial<BluetoothToken> = {},
  action: BluetoothToken['allows'][number] = 'unlock',
  isGenuine = true,
) {
  rig.effects = [];
  const presented = { token: { ...TOKEN, ...change }, isGenuine };
  rig.feed({ kind: 'phone', call: 5, action, presented, leftMs: 10_000, sensors: rig.sensors });
  return answers(rig.effects)[0];
}

const answers = (effects: readonly FirmwareEffect[]) =>
  effects.flatMap((effect) =>
    effect.kind === 'answer-phone'
      ? [{ call: effect.call, outcome: effect.outcome, detail: effect.detail }]
      : [],
  );

function actuatedWith(rig: TestBox, accepted: boolean, change: Partial<SensorInputs>) {
  rig.effects = [];
  rig.sensors = { ...rig.sensors, ...change };
  rig.feed({ kind: 'actuated', accepted, sensors: rig.sensors });
  return answers(rig.effects)[0];
}

const configure = (rig: TestBox, settings: readonly Setting[]) =>
  rig.down({
    kind: 'configuration',
    requestId: requestId(1),
    revision: 1,
    expiresMs: rig.at + 20_000,
    settings,
  });

/** A box that knows the time and has lost its coverage. */
function offline(): TestBox {
  const rig = new TestBox().ready();
  rig.tick({ hasCoverage: false });
  rig.pass(60_000);
  rig.sent = [];
  return rig;
}

describe('a phone next to the vehicle', () => {
  test('unlocks it without the network, and the access is reported when the box is next online', () => {
    const rig = offline();
    const askedAt = rig.at;
    expect(ask(rig)).toBeUndefined();
    expect(rig.effects).toEqual([
      {
        kind: 'actuate',
        command: 'unlock-central-lock',
        actuations: [{ set: 'locked', to: false }],
        untilCounterMs: counterMs(rig.state.facts, rig.at) + 10_000,
      },
    ]);
    expect(actuatedWith(rig, true, { locked: false })).toEqual({ call: 5, outcome: 'done', detail: '' });
    rig.pass(600_000);
    expect(rig.told()).toEqual([]);
    rig.tick({ hasCoverage: true });
    rig.pass(30_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    const told = rig.sent.filter(({ message }) => message.kind === 'access');
    expect(told.map(({ message }) => message)).toMatchObject([
      { tokenId: TOKEN.id, action: 'unlock', outcome: 'done', error: '', signals: { digital: 2 } },
    ]);
    expect(Math.abs((told[0]?.clockMs ?? 0) - askedAt)).toBeLessThan(1_000);
    // What the box itself did is no event beside it.
    expect(rig.sent.filter(({ message }) => message.kind === 'event')).toEqual([]);
  });

  test.each([
    ['of another box', { boxId: '0f3a000000000002' }, true, 'for another box'],
    ['with a wrong seal', {}, false, 'not genuine'],
    ['that does not allow it', { allows: ['lock'] as const }, true, 'does not allow'],
    ['past its expiry', { expiresMs: START_MS - 1 }, true, 'expired'],
  ])('with a token %s is refused, and leaves nothing in the journal', (_, change, isGenuine, reason) => {
    const rig = offline();
    const { next } = rig.state.flash.journal;
    expect(ask(rig, change, 'unlock', isGenuine)).toMatchObject({ outcome: 'refused' });
    expect(ask(rig, change, 'unlock', isGenuine)?.detail).toContain(reason);
    expect(rig.effects.map(({ kind }) => kind)).toEqual(['answer-phone']);
    expect(rig.state.flash.journal.next).toBe(next);
    expect(rig.state.flash.bluetooth.tokens).toEqual([]);
  });

  test('without any token is refused', () => {
    const rig = offline();
    rig.effects = [];
    rig.feed({
      kind: 'phone',
      call: 5,
      action: 'unlock',
      presented: undefined,
      leftMs: 10_000,
      sensors: rig.sensors,
    });
    expect(answers(rig.effects)).toEqual([{ call: 5, outcome: 'refused', detail: 'this is no token' }]);
  });

  test('is refused by a box without a valid clock', () => {
    const rig = new TestBox();
    rig.sensors = { ...rig.sensors, hasCoverage: false };
    rig.boot();
    rig.pass(5_000);
    expect(ask(rig)?.detail).toContain('does not know the time');
  });

  test('can open until the token expires and not after it, however slow the clock is', () => {
    const rig = offline();
    rig.at = TOKEN.expiresMs - 3_000;
    rig.tick();
    expect(ask(rig)).toBeUndefined();
    actuatedWith(rig, true, { locked: false });
    rig.at = TOKEN.expiresMs + 1;
    expect(ask(rig)?.detail).toContain('expired');
  });

  test('can use a token as often as it permits, even over resets', () => {
    const rig = offline();
    for (const to of [false, true]) {
      expect(ask(rig, {}, to ? 'lock' : 'unlock')).toBeUndefined();
      actuatedWith(rig, true, { locked: to });
    }
    rig.boot('WATCHDOG');
    rig.pass(5_000);
    expect(ask(rig)).toBeUndefined();
    actuatedWith(rig, true, { locked: false });
    expect(ask(rig)).toMatchObject({ outcome: 'refused', detail: expect.stringContaining('as often') });
    rig.boot('USER');
    rig.pass(5_000);
    expect(ask(rig)).toMatchObject({ outcome: 'refused' });
    // Another token is not concerned.
    expect(ask(rig, { id: requestId(78) })).toBeUndefined();
  });

  test.each([
    ['moves', { speedKph: 30, ignitionOn: true }, 'unlock', 'the vehicle is moving'],
    ['stands open', { anyDoorOpen: true, locked: false }, 'lock', 'a door is open'],
    ['has no such part', {}, 'unlock-top-case', 'nothing of the kind'],
  ] as const)('cannot where the vehicle %s, and no use is counted', (_, senses, action, reason) => {
    const rig = offline();
    rig.sensors = { ...rig.sensors, ...senses };
    expect(ask(rig, {}, action)).toMatchObject({
      outcome: 'hindered',
      detail: expect.stringContaining(reason),
    });
    expect(rig.state.flash.bluetooth.tokens).toEqual([]);
  });

  test('waits for a running command, and a command waits for it', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-central-lock');
    expect(ask(rig)).toMatchObject({ outcome: 'hindered', detail: expect.stringContaining('busy') });
    actuatedWith(rig, true, { locked: false });
    expect(ask(rig, {}, 'lock')).toBeUndefined();
    rig.sent = [];
    rig.command('unlock-central-lock', 2);
    expect(rig.told()).toMatchObject([{ kind: 'reply', outcome: 'not-ready' }]);
  });

  test('gets the error of a faulty box', () => {
    const rig = offline();
    rig.feed({ kind: 'fault', fault: { text: 'output driver over temperature', isPassing: true } });
    expect(ask(rig)).toEqual({ call: 5, outcome: 'failed', detail: 'output driver over temperature' });
    expect(ask(rig)).toBeUndefined();
  });
});

describe('two parts for a phone', () => {
  test('are both moved or neither, and the record says so', () => {
    const rig = new TestBox().ready();
    ask(rig, {}, 'unlock-and-enable-driving');
    actuatedWith(rig, false, { locked: false });
    expect(rig.effects).toEqual([{ kind: 'actuate', actuations: [{ set: 'locked', to: true }] }]);
    const error = 'the immobilizer did not switch; the central lock was put back';
    expect(actuatedWith(rig, true, { locked: true })).toEqual({ call: 5, outcome: 'failed', detail: error });
    expect(rig.told()).toMatchObject([
      { kind: 'access', tokenId: TOKEN.id, action: 'unlock-and-enable-driving', outcome: 'failed', error },
    ]);
  });

  test.each([
    ['half done', { locked: false }, 'failed', 'interrupted by a reset; the central lock was put back'],
    ['done', { locked: false, drivingEnabled: true }, 'done', ''],
    ['not begun', {}, 'failed', 'interrupted by a reset; nothing was changed'],
  ] as const)('that a reset found %s are settled after it and told once', (_, left, outcome, error) => {
    const rig = new TestBox().ready();
    ask(rig, {}, 'unlock-and-enable-driving');
    rig.sensors = { ...rig.sensors, ...left };
    rig.boot('WATCHDOG');
    rig.effects = [];
    rig.pass(limits.bootMs);
    if (rig.effects.some(({ kind }) => kind === 'actuate')) actuatedWith(rig, true, { locked: true });
    // The phone has long lost its connection.
    expect(answers(rig.effects)).toEqual([]);
    expect(rig.state.flash.intent).toBeUndefined();
    rig.pass(5_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    const told = rig.told().filter(({ kind }) => kind === 'access');
    expect(told).toMatchObject([{ tokenId: TOKEN.id, outcome, error }]);
    expect(rig.state.flash.bluetooth.tokens).toMatchObject([{ id: TOKEN.id, used: 1 }]);
  });
});

describe('the Bluetooth module', () => {
  test('does not answer while it is disabled', () => {
    const rig = new TestBox().ready();
    configure(rig, [{ name: 'box.bleEnabled', value: 0 }]);
    expect(ask(rig)).toBeUndefined();
    expect(rig.effects).toEqual([]);
    expect(rig.state.flash.intent).toBeUndefined();
  });

  test('is unavailable for a moment after its reset', () => {
    const rig = new TestBox().ready();
    rig.command('ble-reset');
    expect(ask(rig)).toBeUndefined();
    expect(rig.effects).toEqual([]);
    rig.pass(limits.bleResetMs);
    ask(rig);
    expect(rig.effects.map(({ kind }) => kind)).toEqual(['actuate']);
  });

  test('does not answer while the box boots, is powered down, or hangs', () => {
    const rig = new TestBox().ready();
    rig.feed({ kind: 'hang', forMs: 10_000 });
    ask(rig);
    expect(rig.effects).toEqual([]);
    rig.pass(11_000);
    expect(rig.state.flash.intent).toBeUndefined();
    rig.feed({ kind: 'reset', reason: 'USER' });
    ask(rig);
    expect(rig.effects).toEqual([]);
    rig.boot('USER');
    ask(rig);
    expect(rig.effects).toEqual([]);
  });
});

describe('a revoked token', () => {
  const withdraw = (rig: TestBox) =>
    rig.feed({ kind: 'withdrawn', tokens: [{ id: TOKEN.id, expiresMs: TOKEN.expiresMs }] });

  test('is refused, even after a reset', () => {
    const rig = new TestBox().ready();
    withdraw(rig);
    expect(ask(rig)).toMatchObject({ outcome: 'refused', detail: 'the token was withdrawn' });
    rig.boot();
    rig.pass(5_000);
    expect(ask(rig)?.detail).toBe('the token was withdrawn');
  });

  test('still opens a box that is offline and has not been informed', () => {
    const rig = offline();
    withdraw(rig);
    expect(ask(rig)).toBeUndefined();
    expect(rig.effects.map(({ kind }) => kind)).toEqual(['actuate']);
  });
});

test('with more tokens than a box can track, none is accepted that may have been used up', () => {
  const rig = offline();
  const expiryOf = (number: number) => START_MS + 3_600_000 + number * 1_000;
  const use = (number: number) => {
    const answer = ask(rig, { id: requestId(number), uses: 1, expiresMs: expiryOf(number) });
    if (answer === undefined) actuatedWith(rig, true, { locked: false });
    return answer;
  };
  const count = limits.bluetoothTokens + 5;
  for (let number = 1; number <= count; number += 1) expect(use(number)).toBeUndefined();
  expect(rig.state.flash.bluetooth.tokens).toHaveLength(limits.bluetoothTokens);
  for (let number = 1; number <= count; number += 1) {
    expect(use(number), `token ${number}`).toMatchObject({ outcome: 'refused' });
  }
});

test('a box that has forgotten the tokens which expire first takes a new one that expires after them', () => {
  const rig = offline();
  const expiryOf = (number: number) => START_MS + 3_600_000 + number * 1_000;
  const use = (number: number, expiresMs: number) => {
    const answer = ask(rig, { id: requestId(number), uses: 1, expiresMs });
    if (answer === undefined) actuatedWith(rig, true, { locked: false });
    return answer;
  };
  // From the last expiry to the first.
  for (let number = limits.bluetoothTokens; number >= 1; number -= 1)
    expect(use(number, expiryOf(number))).toBeUndefined();
  expect(use(1_000, expiryOf(2) + 1)).toBeUndefined();
  expect(rig.state.flash.bluetooth.floorMs).toBe(expiryOf(1));
  expect(use(1_001, expiryOf(2) + 2)).toBeUndefined();
  expect(use(1, expiryOf(1))).toMatchObject({ outcome: 'refused' });
});
