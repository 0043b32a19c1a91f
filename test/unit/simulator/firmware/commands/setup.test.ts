import { describe, expect, test } from 'vitest';
import { ulidText } from '../../../../../protocol/ulid.ts';
import { TOKEN_REFUSALS } from '../../../../../simulator/firmware/bluetooth/bluetooth-token.ts';
import { readSettings, standardSettings } from '../../../../../simulator/firmware/core/pages.ts';
import { limits } from '../../../../../simulator/limits.ts';
import type { SensorInputs } from '../../../../../simulator/vehicle/sensing/vehicle-ports.ts';
import { PARKED, requestId, TestBox } from '../../../../support/firmware/test-box.ts';

const fix = {
  quality: 1,
  latitude: 52.5,
  longitude: 13.4,
  altitudeM: 35,
  speedKph: 0,
  headingDegrees: 0,
  satellites: 7,
  hdop: 1.6,
} as const;
const wired: SensorInputs = { ...PARKED, signals: { ...PARKED.signals, gnss: fix } };
const { gnss: _none, ...withoutFix } = wired.signals;
const { obd: _silent, ...withoutBus } = wired.signals;

const begun = (senses: Partial<SensorInputs> = {}) => {
  const rig = new TestBox().ready({ ...wired, ...senses });
  rig.command('begin-setup', 1, 180_000);
  return rig;
};
const replies = (rig: TestBox) => rig.told().filter((message) => message.kind === 'reply');

describe('a box with a command to begin its setup', () => {
  test('answers once it has identified its vehicle, with the values it read', () => {
    const rig = begun();
    rig.pass(limits.setupLeastMs - 1);
    expect(replies(rig)).toEqual([]);
    rig.pass(limits.lookMs);
    expect(replies(rig)).toMatchObject([
      { requestId: requestId(1), outcome: 'done', error: '', signals: { gnss: { quality: 1 } } },
    ]);
    expect(rig.pages.has('intent')).toBe(false);
  });

  test('accepts no other command and no configuration meanwhile, and the next one afterwards', () => {
    const rig = begun();
    rig.command('unlock-central-lock', 2);
    rig.down({
      kind: 'configuration',
      requestId: requestId(3),
      revision: 1,
      expiresMs: rig.at + 1000,
      settings: [],
    });
    expect(replies(rig)).toMatchObject([{ outcome: 'not-ready' }, { outcome: 'not-ready' }]);
    rig.pass(5_000);
    expect(replies(rig)).toMatchObject([{ requestId: requestId(1), outcome: 'done' }]);
    rig.command('request-vehicle-state', 4);
    expect(replies(rig)).toMatchObject([{ requestId: requestId(4), outcome: 'done' }]);
  });

  test('refuses Bluetooth tokens from before, and accepts new ones', () => {
    const rig = begun();
    rig.pass(limits.setupLeastMs + limits.lookMs);
    expect(replies(rig)).toMatchObject([{ outcome: 'done' }]);
    const ask = (madeMs: number) => {
      const made = new Uint8Array(16);
      new DataView(made.buffer).setBigUint64(0, BigInt(madeMs) << 16n);
      const token = {
        id: ulidText(made, 0),
        boxId: rig.state.facts.boxId,
        allows: ['unlock'] as const,
        uses: 1,
        expiresMs: rig.at + 60_000,
      };
      rig.effects = [];
      const presented = { token, isGenuine: true };
      rig.feed({ kind: 'phone', call: 1, action: 'unlock', presented, leftMs: 10_000, sensors: rig.sensors });
      return rig.effects;
    };
    const before = [{ kind: 'answer-phone', outcome: 'refused', detail: TOKEN_REFUSALS.former }];
    expect(ask(rig.at - limits.setupLeastMs - 60_000)).toMatchObject(before);
    rig.boot();
    rig.pass(5_000);
    expect(ask(rig.at - limits.setupLeastMs - 60_000)).toMatchObject(before);
    expect(ask(rig.at).map(({ kind }) => kind)).toEqual(['actuate']);
  });

  test('clears its configuration when it replies done, and keeps the revision', () => {
    const rig = new TestBox().ready(wired);
    const configure = (number: number, revision: number) =>
      rig.down({
        kind: 'configuration',
        requestId: requestId(number),
        revision,
        expiresMs: rig.at + 1000,
        settings: [{ name: 'tracking.enabled', value: 1 }],
      });
    configure(1, 7);
    rig.command('begin-setup', 2, 180_000);
    rig.pass(limits.lookMs);
    expect(rig.state.flash.configuration.values['tracking.enabled']).toBe(1);
    rig.pass(limits.setupLeastMs);
    expect(rig.state.flash.configuration).toEqual({ revision: 7, values: standardSettings() });
    expect(readSettings(rig.pages.get('settings'))).toEqual(rig.state.flash.configuration);
    configure(3, 6);
    configure(4, 8);
    expect(replies(rig).slice(-2)).toMatchObject([{ outcome: 'conflicting-state' }, { outcome: 'done' }]);
  });

  test('keeps its configuration if the setup fails', () => {
    const rig = new TestBox().ready({ ...wired, csq: 1 });
    rig.down({
      kind: 'configuration',
      requestId: requestId(1),
      revision: 7,
      expiresMs: rig.at + 1000,
      settings: [{ name: 'tracking.enabled', value: 1 }],
    });
    rig.command('begin-setup', 2, 180_000);
    rig.pass(limits.setupMostMs + limits.lookMs);
    expect(replies(rig).at(-1)).toMatchObject({ outcome: 'failed' });
    expect(rig.state.flash.configuration.values['tracking.enabled']).toBe(1);
  });

  test.each([
    [{ signals: withoutFix }, 'no GNSS fix'],
    [{ signals: { ...withoutFix, gnss: { ...fix, quality: 6 as const, satellites: 2 } } }, 'no GNSS fix'],
    [{ signals: withoutBus }, 'no answer on OBD or CAN'],
    [{ supplyMillivolts: 9_400 }, 'low supply'],
    [{ csq: 1 }, 'weak signal'],
    [
      { signals: {}, supplyMillivolts: 9_400, csq: 1 },
      'no answer on OBD or CAN; no GNSS fix; low supply; weak signal',
    ],
  ])('that cannot, says what is missing (%#)', (senses, error) => {
    const rig = begun(senses);
    rig.pass(limits.setupMostMs - limits.lookMs);
    expect(replies(rig)).toEqual([]);
    rig.pass(2 * limits.lookMs);
    expect(replies(rig)).toMatchObject([{ requestId: requestId(1), outcome: 'failed', error }]);
    expect(error.length).toBeLessThanOrEqual(64);
  });

  test('succeeds as soon as missing signals arrive, and temporary ones count', () => {
    const rig = begun({ signals: withoutFix });
    rig.pass(8_000);
    rig.sensors = { ...rig.sensors, signals: { ...withoutBus, gnss: fix } };
    rig.pass(limits.lookMs);
    expect(replies(rig)).toMatchObject([{ outcome: 'done' }]);
  });

  test('replies that it was interrupted after a reset, and does not begin again on its own', () => {
    const rig = begun();
    rig.boot('WATCHDOG');
    rig.pass(30_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    expect(replies(rig)).toMatchObject([
      { requestId: requestId(1), outcome: 'failed', error: 'interrupted by a reset' },
    ]);
    rig.command('begin-setup', 1, 180_000);
    rig.pass(10_000);
    expect(rig.state.ram.setup).toBeUndefined();
  });
});
