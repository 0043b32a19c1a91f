import { z } from 'zod';
import { QUANTITIES, type Quantity } from '../../protocol/models/quantities.ts';
import { parseTroubleCode } from '../../protocol/obd.ts';
import { controlLimits } from '../limits.ts';
import {
  CARD_STATES,
  CARDS,
  DRIVING_AIDS,
  type DrivingAid,
  GEARS,
  SEATS,
  SENSOR_STATES,
  type Seat,
  type ServiceDues,
  VEHICLE_OPENINGS,
  type VehicleOpening,
} from '../vehicle/equipment/equipment.ts';
import { LEVEL_NAMES } from '../vehicle/equipment/levels.ts';
import { boxAction } from './action.ts';

const percent = z.number().min(0).max(100);
const seats = Object.keys(SEATS) as readonly Seat[];
const openings = Object.keys(VEHICLE_OPENINGS) as readonly VehicleOpening[];
const aids = Object.keys(DRIVING_AIDS) as readonly DrivingAid[];
const quantities = Object.keys(QUANTITIES) as readonly Quantity[];

/** The services that can be due, and whether on a day (otherwise after a distance). */
const DUES = {
  service: { km: 'serviceKm', day: 'serviceDay' },
  oil: { km: 'oilKm', day: 'oilDay' },
  brake_fluid: { km: undefined, day: 'brakeFluidDay' },
} as const satisfies Readonly<Record<string, { km: keyof ServiceDues | undefined; day: keyof ServiceDues }>>;
const dues = Object.keys(DUES) as readonly (keyof typeof DUES)[];

/** People's actions on a vehicle apart from driving it: equipment, consumables, faults. */
export const VEHICLE_ACTIONS = {
  openings: boxAction({
    does: 'The windows, the sunroof or the convertible top are opened or shut.',
    body: z.strictObject({ what: z.enum(openings), open: z.boolean() }),
    example: { what: 'windows', open: true },
    run: (box, { what, open }) => box.operate({ kind: 'opening', what, open }),
  }),
  charge: boxAction({
    does: 'The charging plug of a parked vehicle is put in, and it charges until it is full; or the plug is pulled.',
    body: z.strictObject({ connected: z.boolean() }),
    example: { connected: true },
    run: (box, { connected }) => box.operate({ kind: 'charge', connected }),
  }),
  refuel: boxAction({
    does: 'The tank of a parked vehicle is filled up, to that share of it.',
    body: z.strictObject({ to_percent: percent.default(100) }),
    example: { to_percent: 100 },
    run: (box, { to_percent }) => box.operate({ kind: 'refuel', percent: to_percent }),
  }),
  'swap-battery': boxAction({
    does: 'The drive battery in a port of a parked vehicle is taken out, and another one with that charge put in; null leaves the port empty.',
    body: z.strictObject({ port: z.int().min(1).max(2), level_in_percent: percent.nullable() }),
    example: { port: 1, level_in_percent: 100 },
    run: (box, { port, level_in_percent }) =>
      box.operate({ kind: 'battery', port, percent: level_in_percent ?? undefined }),
  }),
  belts: boxAction({
    does: 'The belt at a seat is fastened or open, independent of the driver; null leaves it to the passengers.',
    body: z.strictObject({ seat: z.enum(seats), fastened: z.boolean().nullable() }),
    example: { seat: 'front_left', fastened: false },
    run: (box, { seat, fastened }) => box.operate({ kind: 'belt', seat, fastened: fastened ?? undefined }),
  }),
  key: boxAction({
    does: 'The vehicle key is put into its place in the vehicle, or taken away.',
    body: z.strictObject({ present: z.boolean() }),
    example: { present: false },
    run: (box, { present }) => box.operate({ kind: 'key', present }),
  }),
  cards: boxAction({
    does: 'A card is put into a slot of the card holder or taken out; a slot that is not configured was taught no card.',
    body: z.strictObject({ slot: z.int().min(1).max(CARDS.length), state: z.enum(CARD_STATES) }),
    example: { slot: 1, state: 'PRESENT' },
    run: (box, { slot, state }) => box.operate({ kind: 'card', slot, state }),
  }),
  gear: boxAction({
    does: 'The selector lever of a standing vehicle with the ignition on is held there; SPORT also while it drives. null leaves it to the driver.',
    body: z.strictObject({ position: z.enum(GEARS).nullable() }),
    example: { position: 'NEUTRAL' },
    run: (box, { position }) => box.operate({ kind: 'gear', position: position ?? undefined }),
  }),
  'driving-aids': boxAction({
    does: 'The anti-lock brakes or the stability program are switched off, or on again.',
    body: z.strictObject({ what: z.enum(aids), enabled: z.boolean() }),
    example: { what: 'esp', enabled: false },
    run: (box, { what, enabled }) => box.operate({ kind: 'aid', what, enabled }),
  }),
  wear: boxAction({
    does: 'A level becomes this, in percent of what it should be: fluids, brake lining, tyre pressure, starter battery. Indicators and trouble codes follow from it.',
    body: z.strictObject({ what: z.enum(LEVEL_NAMES), to: percent }),
    example: { what: 'washer_fluid', to: 5 },
    run: (box, { what, to }) => box.operate({ kind: 'wear', what, percent: to }),
  }),
  due: boxAction({
    does: 'Kilometers or days until a service is due; below 0 it is overdue.',
    body: z
      .strictObject({
        what: z.enum(dues),
        in_km: z.number().min(-controlLimits.mostDueKm).max(controlLimits.mostDueKm).optional(),
        in_days: z.int().min(-controlLimits.mostDueDays).max(controlLimits.mostDueDays).optional(),
      })
      .refine(({ in_km, in_days }) => in_km !== undefined || in_days !== undefined, 'in_km or in_days'),
    example: { what: 'service', in_km: 800, in_days: 30 },
    refuses: (_truth, { what, in_km }) =>
      in_km !== undefined && DUES[what].km === undefined ? 'Brake fluid is due on a day only.' : undefined,
    run: (box, { what, in_km, in_days }) => {
      const { km, day } = DUES[what];
      if (km !== undefined && in_km !== undefined) box.operate({ kind: 'due', what: km, left: in_km });
      if (in_days !== undefined) box.operate({ kind: 'due', what: day, left: in_days });
    },
  }),
  'trouble-code': boxAction({
    does: 'A control unit stores this trouble code (SAE J2012), and the indicators follow; or it is cleared, where its cause is gone.',
    body: z.strictObject({
      code: z.string().regex(/^[PCBU][0-3][0-9A-F]{3}$/, 'a trouble code such as P0301'),
      active: z.boolean(),
    }),
    example: { code: 'P0301', active: true },
    run: (box, { code, active }) =>
      box.operate({ kind: 'trouble-code', code: parseTroubleCode(code) ?? 0, active }),
  }),
  workshop: boxAction({
    does: 'A workshop mends the vehicle: levels are full, services done, trouble codes cleared, sensors work.',
    body: z.strictObject({}),
    example: {},
    run: (box) => box.operate({ kind: 'workshop' }),
  }),
  sensor: boxAction({
    does: 'A sensor fails or has no value, and its signal says so; or it works again.',
    body: z.strictObject({ quantity: z.enum(quantities), state: z.enum(SENSOR_STATES) }),
    example: { quantity: 'speedKph', state: 'failed' },
    run: (box, { quantity, state }) => box.operate({ kind: 'sensor', quantity, state }),
  }),
};
