import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reply } from '../../protocol/message.ts';
import type { FirmwareEffect } from '../../simulator/firmware/core/effect.ts';
import { PART_CONDITIONS, type PartCondition } from '../../simulator/vehicle/driving/mechanics.ts';
import type { SensorInputs } from '../../simulator/vehicle/sensing/vehicle-ports.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import { plainInputs, TestBox } from '../support/firmware/test-box.ts';
import { vehicleOf } from '../support/vehicles/any-vehicle.ts';

/**
 * A box at a real vehicle whose parts jam, under combined commands, with power lost at any point between the writing
 * down of the intent and the reply.
 */
const PARTS = { locked: 'the central lock', drivingEnabled: 'driving' } as const;
type Part = keyof typeof PARTS;
const WORDS = {
  locked: { true: 'locked', false: 'unlocked' },
  drivingEnabled: { true: 'enabled', false: 'disabled' },
} as const;
const WANTED = {
  'unlock-and-enable-driving': { locked: false, drivingEnabled: true },
  'lock-and-disable-driving': { locked: true, drivingEnabled: false },
} as const;
type Combined = keyof typeof WANTED;
type Stand = Readonly<Record<Part, boolean>>;

/** Where power is lost: before or after the n-th movement; `none`: nowhere. */
type Loss = { readonly afterMoves: number; readonly awayMs: number } | 'none';

interface Case {
  readonly seed: number;
  readonly command: Combined;
  readonly before: Stand;
  readonly lock: PartCondition;
  readonly immobilizer: PartCondition;
  readonly loss: Loss;
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  seed: fc.integer(),
  command: fc.constantFrom<Combined>('unlock-and-enable-driving', 'lock-and-disable-driving'),
  before: fc.record({ locked: fc.boolean(), drivingEnabled: fc.boolean() }),
  lock: fc.constantFrom(...PART_CONDITIONS),
  immobilizer: fc.constantFrom(...PART_CONDITIONS),
  loss: fc.oneof(
    fc.constant('none' as const),
    fc.record({ afterMoves: fc.nat(3), awayMs: fc.constantFrom(0, 1_000, 60_000) }),
  ),
});

function standOf(vehicle: PersistentVehicle): Stand {
  const { locked, drivingEnabled } = vehicle.sensors();
  return { locked, drivingEnabled };
}

/** Runs a case and returns the reply of the box and the resulting state of the vehicle. */
function carriedOut({ seed, command, before, lock, immobilizer, loss }: Case) {
  const vehicle = vehicleOf(seed, { model: 'petrol-compact', driving: false });
  vehicle.actuate({ set: 'locked', to: before.locked });
  vehicle.actuate({ set: 'drivingEnabled', to: before.drivingEnabled });
  vehicle.setMechanics({ lock, immobilizer });
  const rig = new TestBox();
  const see = (): SensorInputs => ({ ...plainInputs(vehicle.sensors()), signals: rig.sensors.signals });
  rig.ready(see());
  let moves = 0;
  let isLost = false;
  let moving: readonly FirmwareEffect[] = [];
  const perform = () => {
    for (let rounds = 0; rounds < 5; rounds += 1) {
      moving = rig.effects.splice(0).filter((effect) => effect.kind === 'actuate');
      for (const effect of moving) {
        if (effect.kind !== 'actuate') continue;
        let accepted = true;
        for (const actuation of effect.actuations) {
          if (loss !== 'none' && !isLost && moves === loss.afterMoves) {
            isLost = true;
            return;
          }
          moves += 1;
          accepted = vehicle.actuate(actuation);
          if (!accepted) break;
        }
        rig.sensors = see();
        rig.feed({ kind: 'actuated', accepted, sensors: rig.sensors });
      }
    }
  };
  rig.command(command, 1, 20_000);
  perform();
  if (isLost && loss !== 'none') {
    rig.at += loss.awayMs;
    rig.sensors = see();
    rig.boot('BROWN_OUT');
    rig.pass(1_000);
    perform();
  }
  rig.pass(20_000);
  rig.feed({ kind: 'opened' });
  rig.feed({ kind: 'subscribed' });
  rig.acknowledgeAll();
  rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
  const replies = rig.told().filter((message): message is Reply => message.kind === 'reply');
  return { replies, after: standOf(vehicle), isBusy: rig.state.flash.intent !== undefined };
}

test('a combined command is carried out in both parts or in neither, and the reply says so if it was in one only', () => {
  fc.assert(
    fc.property(anyCase, (made) => {
      const { replies, after, isBusy } = carriedOut(made);
      const [reply] = replies;
      if (reply === undefined) throw new Error('there is no reply');
      expect(isBusy).toBe(false);
      expect(new Set(replies.map(({ outcome, error }) => `${outcome} ${error}`)).size).toBe(1);
      const wanted = WANTED[made.command];
      if (reply.outcome === 'done') {
        expect(after).toEqual(wanted);
        return;
      }
      expect(reply.outcome).toBe('failed');
      expect(reply.error.length).toBeLessThanOrEqual(64);
      for (const part of Object.keys(PARTS) as Part[]) {
        const stays = `${PARTS[part]} stays ${WORDS[part][`${wanted[part]}`]}`;
        const isSaid = reply.error.includes(stays);
        expect(after[part], `${part} after "${reply.error}"`).toBe(isSaid ? wanted[part] : made.before[part]);
      }
    }),
    { numRuns: 500 },
  );
});

test('a combined command succeeds if the parts of the vehicle work and the box keeps its power', () => {
  fc.assert(
    fc.property(anyCase, (made) => {
      const { replies, after } = carriedOut({ ...made, lock: 'works', immobilizer: 'works', loss: 'none' });
      expect(replies[0]?.outcome).toBe('done');
      expect(after).toEqual(WANTED[made.command]);
    }),
    { numRuns: 50 },
  );
});
