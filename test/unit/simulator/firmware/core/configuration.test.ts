import { describe, expect, test } from 'vitest';
import type { ConfigurationRequest } from '../../../../../protocol/message.ts';
import { bluetoothPhase } from '../../../../../simulator/firmware/bluetooth/bluetooth.ts';
import { damageDetection } from '../../../../../simulator/firmware/detect/calibration.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { requestId, TestBox } from '../../../../support/firmware/test-box.ts';

/** Has the box configured; its outcome. */
function configure(
  rig: TestBox,
  revision: number,
  settings: ConfigurationRequest['settings'],
): string | undefined {
  // What it has sent grows with each answer: a number that no request to it has had.
  const id = requestId(rig.sent.length + 1);
  rig.down({
    kind: 'configuration',
    requestId: id,
    revision,
    expiresMs: rig.at + 20_000,
    settings,
  });
  const reply = rig.sent.findLast(({ message }) => message.kind === 'reply' && message.requestId === id);
  rig.acknowledgeAll();
  rig.receiptAll();
  return reply?.message.kind === 'reply' ? reply.message.outcome : undefined;
}

const events = (rig: TestBox) =>
  rig.told().flatMap((message) => (message.kind === 'event' ? [message.event] : []));
const damage = (activation: number) => [{ name: 'damage.activation', value: activation }] as const;

describe('a feature without its hardware is unsupported', () => {
  test.each([
    { facts: { generation: 1 }, settings: damage(1) },
    { facts: { hardwareRevision: 4 }, settings: [{ name: 'smoke.enabled', value: 1 }] },
    { facts: { installation: 'HARDWIRED' }, settings: [{ name: 'box.obdAlarmEnabled', value: 1 }] },
  ] as const)('$settings', ({ facts, settings }) => {
    const rig = new TestBox(facts).ready();
    expect(configure(rig, 3, settings)).toBe('unsupported');
    expect(rig.state.flash.configuration.revision).toBe(0);
  });

  test('but can stay disabled', () => {
    const rig = new TestBox({ generation: 1 }).ready();
    expect(configure(rig, 3, damage(0))).toBe('done');
  });
});

describe('damage detection', () => {
  test('is answered at once, calibrated for a fixed time, reported once, and active after a reset', () => {
    const rig = new TestBox().ready();
    expect(configure(rig, 3, damage(3))).toBe('done');
    expect(damageDetection(rig.state.flash)).toBe('calibrating');
    rig.pass(limits.calibrationMs - 1);
    expect(events(rig)).toEqual([]);
    rig.pass(1);
    expect(events(rig)).toEqual(['damage-calibrated']);
    expect(damageDetection(rig.state.flash)).toBe('on');
    rig.receiptAll();
    rig.boot('WATCHDOG');
    rig.passAnswered(2 * limits.calibrationMs);
    expect(damageDetection(rig.state.flash)).toBe('on');
    expect(rig.state.ram.calibration).toBeUndefined();
  });

  test('is calibrated again after a reset during calibration', () => {
    const rig = new TestBox().ready();
    configure(rig, 3, damage(3));
    rig.pass(limits.calibrationMs - 1_000);
    rig.boot('WATCHDOG');
    rig.pass(limits.calibrationMs);
    expect(damageDetection(rig.state.flash)).toBe('calibrating');
    rig.pass(1_000);
    expect(damageDetection(rig.state.flash)).toBe('on');
  });

  test('continues calibrating when other settings change, and stops when it is disabled', () => {
    const rig = new TestBox().ready();
    configure(rig, 3, damage(3));
    rig.pass(limits.calibrationMs - 1_000);
    configure(rig, 4, [...damage(3), { name: 'tracking.enabled', value: 1 }]);
    rig.pass(1_000);
    expect(damageDetection(rig.state.flash)).toBe('on');
    configure(rig, 5, damage(5));
    configure(rig, 6, []);
    expect(damageDetection(rig.state.flash)).toBe('off');
    events(rig);
    rig.pass(2 * limits.calibrationMs);
    expect(events(rig)).not.toContain('damage-calibrated');
  });
});

describe('the automatic immobilizer', () => {
  const settings = [
    { name: 'immobilizer.enabled', value: 1 },
    { name: 'immobilizer.delayS', value: 40 },
  ] as const;
  const left = { ignitionOn: false, locked: true, drivingEnabled: true };
  /** The relay moves, as the host has it move. */
  const cut = (rig: TestBox) => {
    if (!rig.kinds().includes('immobilize')) return false;
    rig.sensors = { ...rig.sensors, drivingEnabled: false };
    rig.feed({ kind: 'immobilized', accepted: true, sensors: rig.sensors });
    return true;
  };

  test('opens the relay after its delay from ignition off and locked, and reports it', () => {
    const rig = new TestBox().ready({ ...left, locked: false });
    configure(rig, 3, settings);
    rig.pass(100_000);
    expect(cut(rig)).toBe(false);
    rig.tick({ locked: true });
    rig.acknowledgeAll();
    rig.receiptAll();
    rig.pass(39_999);
    expect(cut(rig)).toBe(false);
    rig.pass(1);
    expect(cut(rig)).toBe(true);
    expect(events(rig)).toContain('driving-disabled');
  });

  test('starts again when the vehicle is unlocked, and acts once each time', () => {
    const rig = new TestBox().ready(left);
    configure(rig, 3, settings);
    rig.pass(30_000);
    rig.tick({ locked: false });
    rig.tick({ locked: true });
    rig.pass(39_000);
    expect(cut(rig)).toBe(false);
    rig.pass(1_000);
    expect(cut(rig)).toBe(true);
    rig.tick({ drivingEnabled: true });
    rig.pass(200_000);
    expect(cut(rig)).toBe(false);
  });

  test('retries if the relay refuses', () => {
    const rig = new TestBox().ready(left);
    configure(rig, 3, settings);
    rig.pass(40_000);
    expect(rig.kinds()).toContain('immobilize');
    rig.feed({ kind: 'immobilized', accepted: false, sensors: rig.sensors });
    rig.pass(limits.immobilizerRetryMs - 1);
    expect(rig.kinds()).not.toContain('immobilize');
    rig.pass(1);
    expect(rig.kinds()).toContain('immobilize');
  });

  test('does nothing unless it is configured', () => {
    const rig = new TestBox().ready(left);
    rig.pass(600_000);
    expect(cut(rig)).toBe(false);
  });
});

test('the Bluetooth module can be disabled', () => {
  const rig = new TestBox().ready();
  expect(bluetoothPhase(rig.state)).toBe('on');
  configure(rig, 3, [{ name: 'box.bleEnabled', value: 0 }]);
  expect(bluetoothPhase(rig.state)).toBe('off');
  configure(rig, 4, []);
  expect(bluetoothPhase(rig.state)).toBe('on');
});
