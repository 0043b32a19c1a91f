import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandName } from '../../protocol/commands.ts';
import type { SettingName } from '../../protocol/settings.ts';
import type { FirmwareEffect } from '../../simulator/firmware/core/effect.ts';
import { nextAlarm } from '../../simulator/firmware/core/next-alarm.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import { requestId, TestBox } from '../support/firmware/test-box.ts';
import { START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

/** A box that samples every second may detect a change earlier by at most this much. */
const DETECTION_DIFFERENCE_MS = 1_100;
/** Longer than any configured delay. */
const SETTLE_MS = 150_000;

const COMMANDS = [
  'unlock-central-lock',
  'lock-central-lock',
  'enable-driving',
  'disable-driving',
  'unlock-and-enable-driving',
  'lock-and-disable-driving',
  'request-vehicle-state',
] as const satisfies readonly CommandName[];

const anySettings = fc.record({
  'tracking.enabled': fc.constantFrom(0, 1),
  'parking.enabled': fc.constantFrom(0, 1),
  'driving.enabled': fc.constantFrom(0, 1),
  'smoke.enabled': fc.constantFrom(0, 1),
  'smoke.durationS': fc.integer({ min: 1, max: 40 }),
  'immobilizer.enabled': fc.constantFrom(0, 1, 1),
  'immobilizer.delayS': fc.integer({ min: 0, max: 90 }),
  'damage.activation': fc.constantFrom(0, 1),
});

type Happening =
  | { readonly command: (typeof COMMANDS)[number] }
  | { readonly settings: Readonly<Partial<Record<SettingName, number>>> }
  | { readonly name: string; readonly to: (vehicle: PersistentVehicle) => unknown };

const outside = (name: string, to: (vehicle: PersistentVehicle) => unknown): Happening => ({ name, to });
const drives = outside('drive', (vehicle) => vehicle.drive());
const parks = outside('park', (vehicle) => vehicle.park());
const losesItsBus = outside('no bus for a while', (vehicle) =>
  vehicle.setInstallationFault('no-vehicle-bus', 45_000),
);
const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...COMMANDS).map((command) => ({ command })) },
  { weight: 2, arbitrary: anySettings.map((settings) => ({ settings })) },
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      outside('door opened', (vehicle) => vehicle.openDoor(true)),
      outside('door shut', (vehicle) => vehicle.openDoor(false)),
      outside('ignition on', (vehicle) => vehicle.turnIgnition(true)),
      outside('ignition off', (vehicle) => vehicle.turnIgnition(false)),
      outside('plug in', (vehicle) => vehicle.operate({ kind: 'charge', connected: true })),
      outside('plug out', (vehicle) => vehicle.operate({ kind: 'charge', connected: false })),
      drives,
      parks,
      outside('bump', (vehicle) => vehicle.applyIncident({ what: 'bump', strengthMg: 1_200, side: 'left' })),
      outside('tow', (vehicle) => vehicle.applyIncident({ what: 'tow', distanceM: 300, lifted: true })),
      outside('smoke', (vehicle) =>
        vehicle.applyIncident({ what: 'smoke', concentrationUgPerM3: 900, durationMs: 60_000 }),
      ),
      losesItsBus,
      outside('no sky', (vehicle) => vehicle.setGnssReception(false)),
      outside('sky', (vehicle) => vehicle.setGnssReception(true)),
      outside('relay jams', (vehicle) => vehicle.setMechanics({ immobilizer: 'jammed' })),
      outside('relay works', (vehicle) => vehicle.setMechanics({ immobilizer: 'works' })),
    ),
  },
);

/** The vehicle is unlocked and locked again without a drive. */
const anyVisit: fc.Arbitrary<readonly Happening[]> = fc
  .constantFrom(
    ['unlock-and-enable-driving', 'lock-central-lock'] as const,
    ['unlock-central-lock', 'enable-driving', 'lock-central-lock'] as const,
    ['unlock-central-lock', 'lock-central-lock'] as const,
  )
  .map((commands) => commands.map((command) => ({ command })));
const anyHappenings = fc
  .array(
    fc.oneof(
      anyVisit,
      anyHappening.map((one) => [one]),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .chain((parts) =>
    fc.tuple(...parts.flat().map((one) => fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constant(one)))),
  );

/** What the box reported and did on its own, each with its time. */
type Reported = readonly (readonly [name: string, atMs: number])[];

/** One box in its vehicle, with a network and a service that answers at once. */
class SimulatedBox {
  readonly #rig: TestBox;
  readonly #vehicle: PersistentVehicle;
  readonly #reported: [string, number][] = [];
  #revision = 1;

  constructor(seed: number, model: string) {
    this.#vehicle = vehicleOf(seed, { model, driving: false });
    this.#rig = new TestBox({ factorySettings: { 'immobilizer.enabled': 1 } });
    this.#rig.ready(this.#vehicle.sensors());
  }

  get atMs(): number {
    return this.#rig.at;
  }

  /** When the box is next woken by its own alarm or by its vehicle. */
  get wokenMs(): number {
    const own = nextAlarm(this.#rig.state) ?? Number.POSITIVE_INFINITY;
    return Math.max(this.atMs, Math.min(own, this.#vehicle.nextChangeMs() ?? Number.POSITIVE_INFINITY));
  }

  tick(atMs: number): void {
    this.#advance(atMs);
    this.#rig.sensors = this.#vehicle.sensors();
    this.#after(this.#rig.tick());
  }

  happen(atMs: number, happening: Happening, number: number): void {
    this.#advance(atMs);
    if ('to' in happening) {
      happening.to(this.#vehicle);
      this.tick(atMs);
      return;
    }
    this.#rig.sensors = this.#vehicle.sensors();
    const expiresMs = atMs + 20_000;
    if ('command' in happening) {
      const { command } = happening;
      this.#after(this.#rig.down({ kind: 'command', requestId: requestId(number), command, expiresMs }));
      return;
    }
    const settings = Object.entries(happening.settings) as [SettingName, number][];
    this.#revision += 1;
    this.#after(
      this.#rig.down({
        kind: 'configuration',
        requestId: requestId(number),
        revision: this.#revision,
        expiresMs,
        settings: settings.map(([name, value]) => ({ name, value })),
      }),
    );
  }

  get reported(): Reported {
    return this.#reported;
  }

  #advance(atMs: number): void {
    this.#rig.at = Math.max(this.#rig.at, Math.ceil(atMs));
    this.#vehicle.advance(this.#rig.at);
  }

  /** Moves the outputs and answers for link and service. */
  #after(effects: readonly FirmwareEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'actuate') {
        const accepted = effect.actuations.every((one) => this.#vehicle.actuate(one));
        this.#after(this.#rig.feed({ kind: 'actuated', accepted, sensors: this.#vehicle.sensors() }));
      } else if (effect.kind === 'immobilize') {
        const accepted = this.#vehicle.actuate({ set: 'drivingEnabled', to: false });
        this.#reported.push([`immobilize ${accepted}`, this.atMs]);
        this.#after(this.#rig.feed({ kind: 'immobilized', accepted, sensors: this.#vehicle.sensors() }));
      }
    }
    this.#rig.sensors = this.#vehicle.sensors();
    this.#rig.acknowledgeAll();
    this.#rig.receiptAll();
    this.#rig.acknowledgeAll();
    for (const { message, sequence } of this.#rig.sent.splice(0)) {
      if (sequence === 0) continue;
      if (message.kind === 'event') this.#reported.push([message.event, this.atMs]);
      else if (message.kind === 'report' && message.cause === 'rest')
        this.#reported.push(['rest', this.atMs]);
    }
  }
}

/** Runs a box that wakes only when necessary, or also once a second. */
function runBox(
  seed: number,
  model: string,
  happenings: readonly (readonly [afterS: number, Happening])[],
  samplesEverySecond: boolean,
): Reported {
  const box = new SimulatedBox(seed, model);
  let dueMs = START_MS + 10_000;
  const live = (untilMs: number) => {
    for (;;) {
      const secondMs = samplesEverySecond
        ? Math.floor(box.atMs / 1_000 + 1) * 1_000
        : Number.POSITIVE_INFINITY;
      const nextMs = Math.min(box.wokenMs, secondMs);
      if (nextMs >= untilMs) return;
      box.tick(nextMs);
    }
  };
  for (const [number, [afterS, happening]] of happenings.entries()) {
    dueMs += afterS * 1_000 + 7;
    live(dueMs);
    box.happen(dueMs, happening, number + 1);
  }
  live(dueMs + SETTLE_MS);
  return box.reported;
}

const timesOf = (reported: Reported) => {
  const times = new Map<string, number[]>();
  for (const [name, atMs] of reported) times.set(name, [...(times.get(name) ?? []), atMs]);
  return times;
};

describe('a parked box', () => {
  test('that sleeps until it is woken reports and does the same, at the same times, as one that samples every second', () => {
    let immobilized = 0;
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom('petrol-compact', 'electric-hatchback', 'estate', 'plug-in-hybrid'),
        anyHappenings,
        (seed, model, happenings) => {
          const often = timesOf(runBox(seed, model, happenings, true));
          const seldom = timesOf(runBox(seed, model, happenings, false));
          expect([...seldom.keys()].sort()).toEqual([...often.keys()].sort());
          for (const [name, times] of often) {
            const others = seldom.get(name) ?? [];
            expect([name, others.length]).toEqual([name, times.length]);
            for (const [index, atMs] of times.entries())
              expect(Math.abs((others[index] ?? 0) - atMs), name).toBeLessThanOrEqual(
                DETECTION_DIFFERENCE_MS,
              );
          }
          immobilized += often.get('immobilize true')?.length ?? 0;
        },
      ),
      {
        numRuns: 30,
        examples: [
          [
            0,
            'petrol-compact',
            [
              [1, { command: 'unlock-and-enable-driving' }],
              [1, drives],
              [30, losesItsBus],
              [1, parks],
            ],
          ],
        ],
      },
    );
    expect(immobilized).toBeGreaterThan(10);
  }, 180_000);
});
