import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import {
  firstRefusal,
  GUARDS_AFTER_CONFLICT,
  GUARDS_BEFORE_CONFLICT,
  type GuardContext,
  isMoving,
  setupDetailOf,
} from '../../../../backend/commands/guards.ts';
import { type BoxReadiness, boxReadiness } from '../../../../backend/commands/readiness.ts';
import type { BoxRecord, SetupStatus, VehicleState } from '../../../../backend/store/port/stored-vehicle.ts';
import { COMMAND_OPERATIONS } from '../../../../contract/command-operations.ts';
import { GUARDS, type GuardName } from '../../../../contract/guards.ts';
import { capabilityName } from '../../../../contract/operation.ts';
import { OPERATIONS } from '../../../../contract/operations.ts';
import { REFUSAL_ORDER } from '../../../../contract/problems.ts';
import { COMMANDS } from '../../../../protocol/commands.ts';

const NOW = 1_767_592_800_000;
const BOX: BoxRecord = {
  generation: 2,
  firmware: [2, 24],
  hardwareRevision: 1,
  connection: { counter: 1, open: true },
  notReadyUntilMs: undefined,
  lastContactMs: NOW,
  journal: { epoch: 1, contiguous: 0, ranges: [] },
};
const command = (name: string) => {
  const row = COMMANDS.find((known) => known.name === name);
  if (row === undefined) throw new Error(`there is no command ${name}`);
  return row;
};
const speed = (value: number, ageMs = 0) => ({ value, timestampMs: NOW - ageMs, epoch: 1, sequence: 1 });
const switched = (value: string, ageMs = 0) => ({ value, timestampMs: NOW - ageMs, epoch: 1, sequence: 1 });

const RIGHT: GuardContext = {
  vehicle: { setupStatus: 'SUCCEEDED', setupDetail: '', box: BOX, state: {}, maker: undefined },
  command: command('activate-workshop-mode'),
  capabilities: COMMANDS.map((row) => capabilityName(row.name)),
  readiness: 'connected',
  callerFleetId: 'OWNER',
  partnerFleetId: undefined,
  simProvider: undefined,
  nowMs: NOW,
};

const ALL = [...GUARDS_BEFORE_CONFLICT, ...GUARDS_AFTER_CONFLICT];

describe('guards', () => {
  test('accept a valid command', () => {
    expect(firstRefusal(ALL, ALL, RIGHT)).toBeUndefined();
  });

  test.each([
    ['PENDING', '', "The vehicle's setup status is PENDING."],
    ['RUNNING', 'what it waits for', "The vehicle's setup status is RUNNING."],
    ['FAILED', '', "The vehicle's setup status is FAILED. Fix the cause,"],
    ['FAILED', 'no GNSS fix.', "The vehicle's setup status is FAILED: no GNSS fix. Fix the cause,"],
  ] as const)(
    'say of a setup that is %s, with the detail %j, what is to be done',
    (setupStatus, setupDetail, text) => {
      expect(setupDetailOf({ setupStatus, setupDetail })).toBe(
        setupStatus === 'FAILED' ? `${text} offboard the vehicle, and onboard it again.` : text,
      );
    },
  );

  test("leave a maker's vehicle that moves to its maker", () => {
    const moving = { ...RIGHT.vehicle, state: { speed_in_kph: speed(50) } };
    const maker = { name: 'northwind', vehicleId: 'car-1' };
    expect(firstRefusal(ALL, ['conflicting-state'], { ...RIGHT, vehicle: moving })).toBeDefined();
    expect(
      firstRefusal(ALL, ['conflicting-state'], { ...RIGHT, vehicle: { ...moving, maker } }),
    ).toBeUndefined();
  });

  test('give the reason of a failed setup and what to do, in every guard', () => {
    const vehicle = { ...RIGHT.vehicle, setupStatus: 'FAILED', setupDetail: 'no GNSS fix' } as const;
    for (const declared of [['setup-status'], ['not-ready']] as const) {
      expect(JSON.stringify(firstRefusal(ALL, declared, { ...RIGHT, vehicle }))).toContain(
        'setup status is FAILED: no GNSS fix. Fix the cause, offboard the vehicle, and onboard it again.',
      );
    }
  });

  test('are in the order of refusals', () => {
    expect(ALL).toEqual([
      'setup-status',
      'shared-partner-only',
      'shared-owner-only',
      'command-not-supported',
      'incompatible-firmware',
      'sim-provider',
      'not-ready',
      'conflicting-state',
      'connection',
    ]);
  });

  test.each([
    ['conflicting-setup-status', /RUNNING/, { vehicle: { ...RIGHT.vehicle, setupStatus: 'RUNNING' } }],
    ['conflicting-setup-status', /PENDING/, { vehicle: { ...RIGHT.vehicle, setupStatus: 'PENDING' } }],
    ['shared-with-partner', /Only the partner/, { partnerFleetId: 'PARTNER' }],
    ['command-not-supported', /ACTIVATE_WORKSHOP_MODE/, { capabilities: ['BLE_RESET'] }],
    [
      'incompatible-firmware-version',
      /2\.24/,
      { vehicle: { ...RIGHT.vehicle, box: { ...BOX, firmware: [2, 23] } } },
    ],
    [
      'incompatible-firmware-version',
      /2\.24/,
      { vehicle: { ...RIGHT.vehicle, box: { ...BOX, firmware: [1, 99] } } },
    ],
    ['resource-conflict', /SIM provider/, { simProvider: ['REQUEST_SIM_ACTIVATION'] }],
    ['conflicting-resource', /starting/, { readiness: 'not-ready' }],
    ['conflicting-state', /moving/, { vehicle: { ...RIGHT.vehicle, state: { speed_in_kph: speed(50) } } }],
    ['no-connection', /did not connect/, { readiness: 'not-connected' }],
  ] as const)('%s is found, with the detail %s', (problem, detail, change) => {
    const refusal = firstRefusal(ALL, ALL, { ...RIGHT, ...change });
    expect(refusal?.problem).toBe(problem);
    expect(refusal?.detail).toMatch(detail);
  });

  test.each([
    ['a vehicle that is shared with nobody', { partnerFleetId: undefined }],
    ['firmware above the minimum', { vehicle: { ...RIGHT.vehicle, box: { ...BOX, firmware: [3, 0] } } }],
    [
      'firmware that was never reported',
      { vehicle: { ...RIGHT.vehicle, box: { ...BOX, firmware: undefined } } },
    ],
    ['a SIM provider that can do it', { simProvider: ['ACTIVATE_WORKSHOP_MODE'] }],
    ['a connection that is not known', { readiness: 'unknown' }],
  ] as const)('nothing is against %s', (_name, change) => {
    expect(firstRefusal(ALL, ALL, { ...RIGHT, ...change })).toBeUndefined();
  });

  test('a shared vehicle belongs to the partner in some requests and to the owner in others', () => {
    const asked = (guard: GuardName, partnerFleetId: string) =>
      firstRefusal(ALL, [guard], { ...RIGHT, partnerFleetId })?.detail;
    expect(asked('shared-partner-only', 'OWNER')).toBeUndefined();
    expect(asked('shared-owner-only', 'PARTNER')).toBeUndefined();
    expect(asked('shared-owner-only', 'OWNER')).toMatch(/Only the owner/);
  });

  test('a guard that a row does not declare never refuses, and the first that it declares wins', () => {
    const contexts = fc.record({
      setupStatus: fc.constantFrom<SetupStatus>('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED'),
      ready: fc.constantFrom<BoxReadiness>('connected', 'not-connected', 'unknown', 'not-ready'),
      partnerFleetId: fc.constantFrom(undefined, 'OWNER', 'PARTNER'),
      minor: fc.integer({ min: 20, max: 30 }),
      speedKph: fc.integer({ min: 0, max: 200 }),
      isAble: fc.boolean(),
    });
    fc.assert(
      fc.property(contexts, fc.subarray([...ALL]), (made, declared) => {
        const context: GuardContext = {
          ...RIGHT,
          vehicle: {
            setupStatus: made.setupStatus,
            setupDetail: '',
            box: { ...BOX, firmware: [2, made.minor] },
            state: { speed_in_kph: speed(made.speedKph) },
            maker: undefined,
          },
          readiness: made.ready,
          partnerFleetId: made.partnerFleetId,
          capabilities: made.isAble ? RIGHT.capabilities : [],
        };
        const objections = ALL.filter((guard) => declared.includes(guard))
          .map((guard) => firstRefusal([guard], [guard], context))
          .filter((refusal) => refusal !== undefined);
        expect(firstRefusal(ALL, declared, context)).toEqual(objections[0]);
      }),
    );
  });
});

describe('the endpoints of commands', () => {
  const guardsOf = (name: string) =>
    COMMAND_OPERATIONS.find((row) => row.command.name === name)?.guards ?? [];

  test('exist for each command of the wire, except the one that the backend sends on its own', () => {
    const offered = COMMANDS.filter((row) => row.family !== 'setup');
    expect(COMMAND_OPERATIONS.map((row) => row.command.name)).toEqual(offered.map((row) => row.name));
    expect(new Set(COMMAND_OPERATIONS.map((row) => row.path)).size).toBe(offered.length);
  });

  test('have guards whose problems are in the order of refusals', () => {
    const ranks = GUARDS.map(({ problem }) =>
      REFUSAL_ORDER.findIndex((kinds) => kinds.some((kind) => kind === problem)),
    );
    expect(ranks).not.toContain(-1);
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
  });

  test('name their guards in the order of refusals', () => {
    const order: readonly GuardName[] = GUARDS.map(({ name }) => name);
    for (const { guards } of OPERATIONS)
      expect(guards).toEqual(order.filter((name) => guards.includes(name)));
  });

  test.each(['ble-reset', 'board-reset', 'modem-reset', 'data-connection-reset', 'switch-mobile-network'])(
    '%s belongs to the partner while the vehicle is shared',
    (name) => {
      expect(guardsOf(name)).toContain('shared-partner-only');
    },
  );

  test.each(['activate-workshop-mode', 'deactivate-workshop-mode'])(
    '%s looks at the firmware and not at the setup status, during which it is not ready',
    (name) => {
      expect(guardsOf(name)).toContain('incompatible-firmware');
      expect(guardsOf(name)).not.toContain('setup-status');
      const vehicle = { ...RIGHT.vehicle, setupStatus: 'RUNNING' } as const;
      expect(firstRefusal(ALL, guardsOf(name), { ...RIGHT, vehicle })?.problem).toBe('conflicting-resource');
    },
  );

  test.each([
    ['lock-central-lock', true],
    ['unlock-central-lock', true],
    ['disable-driving', true],
    ['lock-and-disable-driving', true],
    ['unlock-and-enable-driving', true],
    ['unlock-top-case', true],
    ['lock-top-case', true],
    ['unlock-battery-compartment', true],
    ['draw-attention', false],
    ['enable-driving', false],
    ['request-vehicle-state', false],
    ['request-system-status', false],
  ])('%s is refused while the vehicle moves: %s', (name, isRefused) => {
    expect(guardsOf(name).includes('conflicting-state')).toBe(isRefused);
  });
});

describe('readiness', () => {
  const open = { counter: 1, open: true };
  const closed = { counter: 1, open: false };
  test.each([
    ['connected', open, undefined],
    ['not-connected', closed, undefined],
    ['unknown', undefined, undefined],
    ['not-ready', open, NOW + 1],
    ['not-ready', closed, NOW + 1],
    ['not-ready', undefined, NOW + 1],
    ['not-connected', open, NOW],
    ['not-connected', closed, NOW - 1],
    ['not-connected', undefined, NOW],
  ] as const)('is %s for connection %j, not ready until %s', (expected, connection, notReadyUntilMs) => {
    expect(boxReadiness({ connection, notReadyUntilMs, lastContactMs: NOW }, NOW)).toBe(expected);
  });

  test('is unknown if a box was silent for too long on an open connection, or never sent anything on it', () => {
    const silent = { connection: open, notReadyUntilMs: undefined, lastContactMs: NOW - limits.silentMs };
    expect(boxReadiness(silent, NOW)).toBe('connected');
    expect(boxReadiness(silent, NOW + 1)).toBe('unknown');
    expect(boxReadiness({ ...silent, lastContactMs: undefined }, NOW)).toBe('unknown');
    expect(boxReadiness({ ...silent, connection: closed }, NOW + 1)).toBe('not-connected');
  });
});

describe('motion', () => {
  test.each<[string, VehicleState, boolean]>([
    ['nothing is known', {}, false],
    ['a fresh speed', { speed_in_kph: speed(50) }, true],
    ['a fresh speed of the receiver', { gnss_speed_over_ground_in_kph: speed(50) }, true],
    ['a speed that parking receivers show', { gnss_speed_over_ground_in_kph: speed(2) }, false],
    ['a speed from which it cannot have come to rest', { speed_in_kph: speed(50, 1_300) }, true],
    ['a speed from which it can have come to rest', { speed_in_kph: speed(50, 1_400) }, false],
    ['a high speed that is as old', { speed_in_kph: speed(130, 1_400) }, true],
    [
      'the newer of two speeds is 0',
      { speed_in_kph: speed(50, 2), gnss_speed_over_ground_in_kph: speed(0) },
      false,
    ],
    [
      'the newer of two speeds is high',
      { speed_in_kph: speed(0, 2), gnss_speed_over_ground_in_kph: speed(50) },
      true,
    ],
    ['the ignition is off since', { speed_in_kph: speed(50, 5), ignition: switched('OFF', 1) }, false],
    ['the ignition was off before', { speed_in_kph: speed(50, 1), ignition: switched('OFF', 5) }, true],
    // Of two of the same time that of the vehicle counts, and an ignition that was seen with the speed.
    [
      'two speeds of the same time',
      { speed_in_kph: speed(0), gnss_speed_over_ground_in_kph: speed(50) },
      false,
    ],
    [
      'the ignition is off at the same time',
      { speed_in_kph: speed(50, 5), ignition: switched('OFF', 5) },
      false,
    ],
    ['a speed at which receivers show that it stands', { speed_in_kph: speed(3) }, false],
    ['the ignition is on', { speed_in_kph: speed(50, 5), ignition: switched('ON', 1) }, true],
    ['a speed that is no number', { speed_in_kph: switched('fast') }, false],
    [
      'a speed that is no number beside an older one that is',
      { speed_in_kph: switched('fast'), gnss_speed_over_ground_in_kph: speed(50, 5) },
      true,
    ],
  ])('%s', (_name, state, expected) => {
    expect(isMoving(state, NOW)).toBe(expected);
  });
});
