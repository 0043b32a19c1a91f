import { describe, expect, test } from 'vitest';
import { limits } from '../../../../simulator/limits.ts';
import { parked, Rig, requestId } from './rig.ts';

const actuatedWith = (rig: Rig, accepted: boolean, change: Partial<Rig['senses']>) => {
  rig.senses = { ...rig.senses, ...change };
  rig.feed({ kind: 'actuated', accepted, senses: rig.senses });
};

describe('a command', () => {
  test('is written down before anything moves, and answered with the state it leaves', () => {
    const rig = new Rig().ready();
    rig.command('unlock-central-lock');
    expect(rig.pages.has('intent')).toBe(true);
    expect(rig.effects).toEqual([{ kind: 'actuate', actuations: [{ set: 'locked', to: false }] }]);
    expect(rig.told()).toEqual([]);
    actuatedWith(rig, true, { locked: false });
    expect(rig.pages.has('intent')).toBe(false);
    expect(rig.told()).toMatchObject([
      { kind: 'reply', requestId: requestId(1), outcome: 'done', signals: { digital: 2 } },
    ]);
  });

  test('leads to no event for what it changed itself', () => {
    const rig = new Rig().ready();
    rig.command('unlock-central-lock');
    actuatedWith(rig, true, { locked: false });
    rig.told();
    rig.tick();
    expect(rig.told()).toEqual([]);
  });

  test('that comes again gets the same reply under the same sequence, and nothing moves', () => {
    const rig = new Rig().ready();
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

  test('that comes again after a reboot still gets its reply', () => {
    const rig = new Rig().ready();
    rig.command('lock-central-lock');
    actuatedWith(rig, true, { locked: true });
    const [first] = rig.sent.splice(0);
    rig.ready();
    rig.command('lock-central-lock');
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
    expect(rig.sent).toEqual([first]);
  });

  test('that a reset interrupted is answered as failed and never begun again', () => {
    const rig = new Rig().ready();
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
    const rig = new Rig().ready();
    rig.command('unlock-central-lock', 1, -1);
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
    expect(rig.told()).toMatchObject([{ kind: 'reply', outcome: 'expired' }]);
  });

  test('counts as expired while the box does not know the time', () => {
    const rig = new Rig();
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

  test('that the wiring does not allow, or that an old firmware does not know, is unsupported', () => {
    const rig = new Rig({ vehicleCommands: [], firmware: [2, 23] }).ready();
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
    const rig = new Rig().ready({ ignitionOn: true, speedKph: 30, locked: false, drivingEnabled: true });
    rig.command(name);
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
    expect(rig.told()).toMatchObject([{ outcome: 'conflicting-state' }]);
  });

  test('that the mechanics refuse has failed, and says what state it left', () => {
    const rig = new Rig().ready();
    rig.command('lock-and-disable-driving');
    actuatedWith(rig, false, { locked: false });
    expect(rig.told()).toMatchObject([
      { outcome: 'failed', error: 'the central lock did not move; nothing was changed', signals: {} },
    ]);
  });

  test('beside one that is still being carried out is not ready', () => {
    const rig = new Rig().ready();
    rig.command('unlock-central-lock', 1);
    rig.command('request-vehicle-state', 2);
    expect(rig.told()).toMatchObject([{ requestId: requestId(2), outcome: 'not-ready' }]);
  });

  test('that the window has forgotten is never carried out again', () => {
    const rig = new Rig().ready();
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

  test('for another epoch is let be', () => {
    const rig = new Rig().ready();
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

describe('what takes the link down', () => {
  test('board-reset replies, says goodbye, and then resets itself', () => {
    const rig = new Rig().ready();
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

  test('a reset goes on without a broker that acknowledges', () => {
    const rig = new Rig().ready();
    rig.command('board-reset');
    rig.pass(limits.errandMs + limits.leavingMs);
    expect(rig.effects.at(-1)).toMatchObject({ kind: 'reset', reason: 'USER' });
  });

  test('modem-reset drops the link once the reply is out, and the box comes back by itself', () => {
    const rig = new Rig().ready();
    rig.command('modem-reset');
    rig.acknowledgeAll();
    expect(rig.kinds()).toEqual(['publish', 'drop']);
    expect(rig.state.ram.modem.phase).toBe('off');
    rig.pass(limits.modemResetMs + 3_000);
    expect(rig.kinds()).toEqual(['connect']);
  });

  test('data-connection-reset drops the link and keeps the modem on the network', () => {
    const rig = new Rig().ready();
    const { upAt } = rig.state.ram.modem;
    rig.command('data-connection-reset');
    rig.acknowledgeAll();
    expect(rig.state.ram.modem).toMatchObject({ phase: 'registered', upAt });
    rig.pass(3_000);
    expect(rig.kinds()).toEqual(['publish', 'drop', 'connect']);
  });

  test('switch-mobile-network picks the next network and keeps the choice', () => {
    const rig = new Rig().ready();
    rig.command('switch-mobile-network');
    rig.acknowledgeAll();
    expect(rig.state.flash.counters.network).toBe(26202);
    rig.ready();
    rig.command('request-vehicle-state', 2);
    expect(rig.told()).toMatchObject([{ signals: { modem: { network: 26202 } } }]);
  });

  test('switch-mobile-network fails where there is no other network', () => {
    const rig = new Rig().ready({ networks: [{ code: 26201, name: 'Only' }] });
    rig.command('switch-mobile-network');
    expect(rig.told()).toMatchObject([{ outcome: 'failed', error: 'no other mobile network here' }]);
    expect(rig.state.ram.modem.phase).toBe('data-up');
  });

  test('ble-reset takes the module away for a moment', () => {
    const rig = new Rig().ready();
    rig.command('ble-reset');
    expect(rig.state.ram.bleBackAt).toBeDefined();
    rig.pass(limits.bleResetMs);
    expect(rig.state.ram.bleBackAt).toBeUndefined();
  });
});

describe('workshop mode', () => {
  test('leaves everything from OBD out of the reports, and the rest goes on', () => {
    const rig = new Rig().ready();
    rig.command('activate-workshop-mode', 1);
    rig.command('request-vehicle-state', 2);
    const [reply, event, state] = rig.told();
    expect(reply).toMatchObject({ outcome: 'done' });
    expect(event).toMatchObject({ kind: 'event', event: 'workshop-mode-on' });
    expect(state).toMatchObject({ signals: { digital: 2, power: parked.signals.power } });
    expect(state).not.toHaveProperty('signals.obd');
    rig.command('deactivate-workshop-mode', 3);
    rig.command('request-vehicle-state', 4);
    rig.acknowledgeAll();
    expect(rig.told().at(-1)).toHaveProperty('signals.obd');
  });

  test('outlives a reset, and a parked box then only says that it is there', () => {
    const rig = new Rig().ready();
    rig.command('activate-workshop-mode', 1);
    rig.ready();
    rig.pass(1_800_000);
    expect(rig.told()).toEqual([{ kind: 'heartbeat' }]);
  });
});

describe('the system status', () => {
  test('tells since when the box, its modem and its data connection are up, within a second', () => {
    const rig = new Rig().ready();
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
    const rig = new Rig().ready();
    rig.passAnswered(3_600_000);
    rig.command('request-system-status');
    const reply = rig.told().find((message) => message.kind === 'reply');
    expect(reply).toMatchObject({ status: { cpuTimeS: expect.any(Number) } });
    if (reply?.kind === 'reply') expect(reply.status?.cpuTimeS).toBeLessThan(60);
    const driving = new Rig().ready({ ignitionOn: true });
    driving.passAnswered(600_000);
    expect(driving.state.ram.awakeMs).toBeGreaterThan(590_000);
  });

  test('grows warmer under load', () => {
    const rig = new Rig().ready({ ambientTemperatureC: 10 });
    const cool = rig.state.ram.health.temperatureC ?? 0;
    rig.tick({ ignitionOn: true });
    rig.pass(1_200_000);
    expect(rig.state.ram.health.temperatureC).toBeGreaterThan(cool + 5);
  });
});
