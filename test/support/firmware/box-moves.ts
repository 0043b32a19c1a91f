import fc from 'fast-check';
import { type FirmwareVersion, NEWEST_FIRMWARE, OLDEST_FIRMWARE } from '../../../protocol/firmware.ts';
import { IMAGE_KINDS, type UpdateOffer } from '../../../simulator/firmware/update/image.ts';
import type { SensorInputs } from '../../../simulator/vehicle/sensing/vehicle-ports.ts';

/**
 * A box against a model of everything around it: flash that tears, a link that comes and goes, a backend that stores
 * any part of what was sent and says so late, commands in any number of copies. After each move the promises of the
 * journal and of the commands are checked against what the model saw.
 */
export type BoxMove =
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'sense'; readonly change: Partial<SensorInputs> }
  | { readonly do: 'answer-link' }
  /** Waits until the box asks for a connection, and gives it one up to the receipt that answers its hello. */
  | { readonly do: 'serve'; readonly bits: number }
  | { readonly do: 'close' }
  | { readonly do: 'acknowledge'; readonly share: number }
  | { readonly do: 'store'; readonly bits: number }
  | { readonly do: 'receipt'; readonly lateMs: number }
  | { readonly do: 'unreadable'; readonly which: number; readonly times: number }
  | { readonly do: 'command'; readonly number: number; readonly name: number; readonly leftMs: number }
  /** Somebody beside the vehicle presents one of a few tokens. */
  | {
      readonly do: 'phone';
      readonly number: number;
      readonly action: 'unlock' | 'lock';
      readonly leftMs: number;
    }
  | { readonly do: 'garbage'; readonly bytes: Uint8Array }
  | { readonly do: 'reset' }
  | { readonly do: 'update'; readonly offer: UpdateOffer }
  /** The network delivers the newest command once more. */
  | { readonly do: 'repeat' }
  /** Power is lost at a write after so many whole ones: before it is in force, or right after it. */
  | { readonly do: 'power-loss'; readonly when: 'before' | 'after'; readonly writes: number };

export const BOX_COMMAND_NAMES = [
  'unlock-central-lock',
  'enable-driving',
  'request-vehicle-state',
  'board-reset',
  'modem-reset',
] as const;

/** Any version that is in the field. */
export const anyFirmware: fc.Arbitrary<FirmwareVersion> = fc
  .integer({ min: OLDEST_FIRMWARE[1], max: NEWEST_FIRMWARE[1] })
  .map((minor) => [NEWEST_FIRMWARE[0], minor] as const);

export const anyBoxMove: fc.Arbitrary<BoxMove> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('sense' as const),
      change: fc.oneof(
        fc.record({ ignitionOn: fc.boolean() }),
        fc.record({ anyDoorOpen: fc.boolean() }),
        fc.record({ locked: fc.boolean() }),
        fc.record({ hasCoverage: fc.boolean() }),
        fc.record({ headingDegrees: fc.integer({ min: 0, max: 359 }), speedKph: fc.constantFrom(0, 40) }),
        fc.record({ supplyMillivolts: fc.constantFrom(0, 5_000, 9_400, 12_600, 12_600, 12_600) }),
        fc.constant({ supplyMillivolts: 12_600, hasCoverage: true }),
        fc.constant({ supplyMillivolts: 12_600, hasCoverage: true, ignitionOn: false }),
      ),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'answer-link' } as const) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('serve' as const), bits: fc.nat({ max: 0xffff_ffff }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'close' } as const) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('acknowledge' as const), share: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('store' as const), bits: fc.nat({ max: 0xffff_ffff }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('receipt' as const), lateMs: fc.integer({ min: 0, max: 3_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('unreadable' as const),
      which: fc.nat({ max: 20 }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      number: fc.integer({ min: 1, max: 40 }),
      name: fc.nat({ max: BOX_COMMAND_NAMES.length - 1 }),
      leftMs: fc.integer({ min: -5_000, max: 60_000 }),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'repeat' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('phone' as const),
      number: fc.integer({ min: 1, max: 4 }),
      action: fc.constantFrom('unlock' as const, 'lock' as const),
      leftMs: fc.integer({ min: -5_000, max: 600_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('garbage' as const), bytes: fc.uint8Array({ maxLength: 80 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      offer: fc.record({ version: anyFirmware, image: fc.constantFrom('right', 'right', ...IMAGE_KINDS) }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('power-loss' as const),
      when: fc.constantFrom('before' as const, 'after' as const),
      writes: fc.integer({ min: 0, max: 2 }),
    }),
  },
);
