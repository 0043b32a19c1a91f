import { describe, expect, test } from 'vitest';
import { limits } from '../../../../../simulator/limits.ts';
import { PARKED, requestId, TestBox } from '../../../../support/firmware/test-box.ts';

const actuatedWith = (rig: TestBox, accepted: boolean, change: Partial<TestBox['sensors']>) => {
  rig.sensors = { ...rig.sensors, ...change };
  rig.feed({ kind: 'actuated', accepted, sensors: rig.sensors });
};

describe('a command', () => {
  test('is stored before anything moves, and answered with the resulting state', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-central-lock');
    expect(rig.pages.has('intent')).toBe(true);
    expect(rig.effects).toMatchObject([{ kind: 'actuate', actuations: [{ set: 'locked', to: false }] }]);
    expect(rig.told()).toEqual([]);
    actuatedWith(rig, true, { locked: false });
    expect(rig.pages.has('intent')).toBe(false);
    expect(rig.told()).toMatchObject([
      { kind: 'reply', requestId: requestId(1), outcome: 'done', signals: { digital: 2 } },
    ]);
  });

  test('causes no event for its own changes', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-central-lock');
    actuatedWith(rig, true, { locked: false });
    rig.told();
    rig.tick();
    expect(rig.told()).toEqual([]);
  });

  test('that is repeated gets the same reply with the same sequence, and nothing moves', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-central-lock');
    rig.command('unlock-central-lock');
    actuatedWith(rig, true, { locked: false });
    const [first] = rig.sent.splice(0);
    rig.receiptAll();
    rig.effects = [];
    rig.command('unlock-central-lock');
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
    expect(rig.sent).toEqual([first]);
  });

  test('that is repeated after a reboot still gets its reply', () => {
    const rig = new TestBox().ready();
    rig.command('lock-central-lock');
    actuatedWith(rig, true, { locked: true });
    const [first] = rig.sent.splice(0);
    rig.ready();
    rig.command('lock-central-lock');
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
    expect(rig.sent).toEqual([first]);
  });

  test('that was interrupted by a reset is answered as failed and never restarted', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-central-lock');
    rig.boot('WATCHDOG');
    rig.pass(5_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.effects = [];
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    expect(rig.told()).toContainEqual(
      expect.objectContaining({
        kind: 'reply',
        requestId: requestId(1),
        outcome: 'failed',
        error: 'interrupted by a reset; nothing was changed',
      }),
    );
    rig.command('unlock-central-lock');
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
  });

  test('past its expiry is answered as expired', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-central-lock', 1, -1);
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
    expect(rig.told()).toMatchObject([{ kind: 'reply', outcome: 'expired' }]);
  });

  test('counts as expired while the clock of the box is not set', () => {
    const rig = new TestBox();
    rig.boot();
    rig.pass(5_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.effects = [];
    rig.command('unlock-central-lock');
    expect(rig.effects).toEqual([]);
    rig.receiptAll();
    expect(rig.state.flash.answered).toMatchObject([{ requestId: requestId(1) }]);
  });

  test('that the wiring or an old firmware does not support is unsupported', () => {
    const rig = new TestBox({ vehicleCommands: [], firmware: [2, 23] }).ready();
    rig.command('unlock-central-lock', 1);
    rig.command('activate-workshop-mode', 2);
    rig.command('draw-attention', 3);
    expect(rig.told().map((message) => message.kind === 'reply' && message.outcome)).toEqual([
      'unsupported',
      'unsupported',
      'unsupported',
    ]);
  });

  test.each([
    'lock-central-lock',
    'unlock-central-lock',
    'disable-driving',
    'unlock-and-enable-driving',
  ] as const)('%s while the vehicle moves is a conflicting state', (name) => {
    const rig = new TestBox().ready({ ignitionOn: true, speedKph: 30, locked: false, drivingEnabled: true });
    rig.command(name);
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
    expect(rig.told()).toMatchObject([{ outcome: 'conflicting-state' }]);
  });

  test('that the mechanics refuse is answered as failed, with the resulting state', () => {
    const rig = new TestBox().ready();
    rig.command('lock-and-disable-driving');
    actuatedWith(rig, false, { locked: false });
    expect(rig.told()).toMatchObject([
      { outcome: 'failed', error: 'the central lock did not move; nothing was changed', signals: {} },
    ]);
  });

  test('during another one is answered as not ready', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-central-lock', 1);
    rig.command('request-vehicle-state', 2);
    expect(rig.told()).toMatchObject([{ requestId: requestId(2), outcome: 'not-ready' }]);
  });

  test('that is older than the window is never carried out again', () => {
    const rig = new TestBox().ready();
    for (let number = 1; number <= limits.answeredRequests + 5; number++) {
      rig.command('request-vehicle-state', number, 20_000);
    }
    expect(rig.state.flash.answered).toHaveLength(limits.answeredRequests);
    expect([...rig.pages.keys()].filter((key) => key.startsWith('a/'))).toHaveLength(limits.answeredRequests);
    rig.acknowledgeAll();
    rig.told();
    rig.command('request-vehicle-state', 1, 20_000);
    expect(rig.told()).toMatchObject([{ outcome: 'expired' }]);
  });

  test('is carried out however many others were, while one is remembered that had long to be answered', () => {
    const rig = new TestBox().ready();
    rig.command('request-vehicle-state', 1, 180_000);
    for (let number = 2; number <= 3 * limits.answeredRequests; number++) {
      rig.at += 100;
      rig.command('request-vehicle-state', number, 10_000);
      rig.acknowledgeAll();
      rig.receiptAll();
    }
    const outcomes = rig.told().flatMap((message) => (message.kind === 'reply' ? [message.outcome] : []));
    expect(outcomes).toEqual(Array.from({ length: 3 * limits.answeredRequests }, () => 'done'));
    // Nor is the first one carried out again.
    rig.command('request-vehicle-state', 1, 180_000);
    const repeated = rig.told();
    expect(repeated).toMatchObject([{ kind: 'reply', requestId: requestId(1), outcome: 'done' }]);
    expect(rig.state.flash.answered).toHaveLength(limits.answeredRequests);
  });

  test('is carried out where all that are remembered have longer', () => {
    const rig = new TestBox().ready();
    for (let number = 1; number <= limits.answeredRequests; number++)
      rig.command('request-vehicle-state', number, 180_000);
    for (const number of [101, 102, 103]) {
      rig.acknowledgeAll();
      rig.receiptAll();
      rig.told();
      rig.at += 1_000;
      rig.command('request-vehicle-state', number, 20_000);
      expect(rig.told()).toMatchObject([{ requestId: requestId(number), outcome: 'done' }]);
    }
  });

  test('for another epoch is ignored', () => {
    const rig = new TestBox().ready();
    const message = {
      kind: 'command',
      requestId: requestId(1),
      command: 'unlock-central-lock',
      expiresMs: rig.at + 20_000,
    } as const;
    rig.down(message, rig.at, (rig.state.flash.journal.epoch + 1) >>> 0);
    expect(rig.effects).toEqual([]);
    expect(rig.state.ram.counts.strayFrames).toBe(1);
  });
});

describe('commands that end the connection', () => {
  test('board-reset replies, sends a going-down, and then resets the box', () => {
    const rig = new TestBox().ready();
    rig.command('board-reset');
    expect(rig.told()).toMatchObject([{ kind: 'reply', outcome: 'done' }]);
    expect(rig.kinds()).toEqual(['publish']);
    rig.acknowledgeAll();
    expect(rig.told()).toMatchObject([
      { kind: 'going-down', reason: 'reset' },
      { kind: 'gone', connection: 1 },
    ]);
    expect(rig.effects.at(-1)).toMatchObject({ publication: { retain: true } });
    rig.effects = [];
    rig.acknowledgeAll();
    expect(rig.effects).toEqual([
      { kind: 'disconnect' },
      { kind: 'reset', reason: 'USER', downMs: limits.resetDownMs },
    ]);
    rig.effects = [];
    rig.boot('USER');
    rig.pass(5_000);
    expect(rig.effects).toMatchObject([{ kind: 'connect', connection: 2 }]);
  });

  test('a reset continues without acknowledgements of the broker', () => {
    const rig = new TestBox().ready();
    rig.command('board-reset');
    rig.pass(limits.pendingTaskMs + limits.goodbyeMs);
    expect(rig.effects.at(-1)).toMatchObject({ kind: 'reset', reason: 'USER' });
  });

  test('modem-reset drops the link once the reply was sent, and the box reconnects on its own', () => {
    const rig = new TestBox().ready();
    rig.command('modem-reset');
    rig.acknowledgeAll();
    expect(rig.kinds()).toEqual(['publish', 'drop']);
    expect(rig.state.ram.modem.phase).toBe('off');
    rig.pass(limits.modemResetMs + 3_000);
    expect(rig.kinds()).toEqual(['connect']);
  });

  test('data-connection-reset drops the link and keeps the modem on the network', () => {
    const rig = new TestBox().ready();
    const { upAt } = rig.state.ram.modem;
    rig.command('data-connection-reset');
    rig.acknowledgeAll();
    expect(rig.state.ram.modem).toMatchObject({ phase: 'registered', upAt });
    rig.pass(3_000);
    expect(rig.kinds()).toEqual(['publish', 'drop', 'connect']);
  });

  test('switch-mobile-network picks the next network and keeps the choice', () => {
    const rig = new TestBox().ready();
    rig.command('switch-mobile-network');
    rig.acknowledgeAll();
    expect(rig.state.flash.counters.network).toBe(26202);
    rig.ready();
    rig.command('request-vehicle-state', 2);
    expect(rig.told()).toMatchObject([{ signals: { modem: { network: 26202 } } }]);
  });

  test('switch-mobile-network fails if there is no other network', () => {
    const rig = new TestBox().ready({ networks: [{ code: 26201, name: 'Only' }] });
    rig.command('switch-mobile-network');
    expect(rig.told()).toMatchObject([{ outcome: 'failed', error: 'no other mobile network here' }]);
    expect(rig.state.ram.modem.phase).toBe('data-up');
  });

  test('ble-reset makes the module unavailable for a moment', () => {
    const rig = new TestBox().ready();
    rig.command('ble-reset');
    expect(rig.state.ram.bluetoothBackAt).toBeDefined();
    rig.pass(limits.bleResetMs);
    expect(rig.state.ram.bluetoothBackAt).toBeUndefined();
  });
});

describe('workshop mode', () => {
  test('leaves OBD values out of the reports, and the others continue', () => {
    const rig = new TestBox().ready();
    rig.command('activate-workshop-mode', 1);
    rig.command('request-vehicle-state', 2);
    const [reply, event, state] = rig.told();
    expect(reply).toMatchObject({ outcome: 'done' });
    expect(event).toMatchObject({ kind: 'event', event: 'workshop-mode-on' });
    expect(state).toMatchObject({ signals: { digital: 2, power: PARKED.signals.power } });
    expect(state).not.toHaveProperty('signals.obd');
    rig.command('deactivate-workshop-mode', 3);
    rig.command('request-vehicle-state', 4);
    rig.acknowledgeAll();
    expect(rig.told().at(-1)).toHaveProperty('signals.obd');
  });

  test('survives a reset, and a parked box then only sends heartbeats', () => {
    const rig = new TestBox().ready();
    rig.command('activate-workshop-mode', 1);
    rig.ready();
    rig.pass(1_800_000);
    expect(rig.told()).toEqual([{ kind: 'heartbeat' }]);
  });
});

describe('the system status', () => {
  test('contains the uptime of box, modem and data connection, within a second', () => {
    const rig = new TestBox().ready();
    rig.pass(60_000);
    rig.command('request-system-status');
    const [reply] = rig.told();
    if (reply?.kind !== 'reply' || reply.status === undefined) throw new Error('no status');
    const { status } = reply;
    expect(Math.abs(status.realTimeClockMs - rig.at)).toBeLessThan(1_000);
    const bootedAt = rig.state.ram.bootedAt;
    expect(Math.abs(status.deviceUpSinceMs - bootedAt)).toBeLessThan(1_000);
    expect(status.modemUpSinceMs).toBeGreaterThanOrEqual(status.deviceUpSinceMs);
    expect(status.dataConnectionUpSinceMs).toBeGreaterThan(status.modemUpSinceMs);
    expect(status.resetReason).toBe('GENERAL');
    expect(status.canBus0Active).toBe(true);
  });

  test('counts only the seconds in which the processor was awake', () => {
    const rig = new TestBox().ready();
    rig.passAnswered(3_600_000);
    rig.command('request-system-status');
    const reply = rig.told().find((message) => message.kind === 'reply');
    expect(reply).toMatchObject({ status: { cpuTimeS: expect.any(Number) } });
    if (reply?.kind === 'reply') expect(reply.status?.cpuTimeS).toBeLessThan(60);
    const driving = new TestBox().ready({ ignitionOn: true });
    driving.passAnswered(600_000);
    expect(driving.state.ram.awakeMs).toBeGreaterThan(590_000);
  });

  test('shows a higher temperature under load', () => {
    const rig = new TestBox().ready({ ambientTemperatureC: 10 });
    const cool = rig.state.ram.health.temperatureC ?? 0;
    rig.tick({ ignitionOn: true });
    rig.pass(1_200_000);
    expect(rig.state.ram.health.temperatureC).toBeGreaterThan(cool + 5);
  });
});
