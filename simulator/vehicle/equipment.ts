/**
 * What belongs to a vehicle beside its driving: what is open, who is belted, what is used up, when it is due, what is
 * broken, which sensors lie. It changes by what people do (deeds.ts), and by itself only with mileage and time, in
 * closed formulas. What always holds (test/properties/equipment.test.ts):
 *
 *   - energy never rises but at the pump, at the plug, or by fresh batteries; it charges only plugged in and standing,
 *     and with a plug in it does not drive
 *   - levels are within 0 to 100 and rise only when somebody fills up or mends
 *   - what is due in km comes nearer by driving alone, as fast as the mileage rises; a due date stays that date
 *   - a trouble code stays until a workshop clears it, and comes back at once where its cause is still there
 *   - who drives is belted, unless somebody has said otherwise
 *   - asked twice for the same moment it says the same, however often it was asked before
 */
import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Choice, Quantity, ValueOf } from '../../protocol/models/quantities.ts';
import type { Stream } from '../../world/random.ts';
import type { DriveBattery } from './drive-batteries.ts';
import { causedCodes, drawnFault, joinedCodes, type NextFault, type TroubleCode } from './faults.ts';
import { drawnLevels, type Levels, type Moment } from './levels.ts';

/** What opens and shuts beside the doors, by the quantity that tells it. */
export const OPENINGS = {
  windows: 'windowsOpen',
  sunroof: 'sunroofOpen',
  convertible_top: 'convertibleTopOpen',
} as const satisfies Readonly<Record<string, Quantity>>;
export type Opening = keyof typeof OPENINGS;

/** Seats with a belt, by the quantity that tells it. */
export const SEATS = {
  front_left: 'beltFrontLeft',
  front_right: 'beltFrontRight',
  row2_left: 'beltRow2Left',
  row2_middle: 'beltRow2Middle',
  row2_right: 'beltRow2Right',
} as const satisfies Readonly<Record<string, Quantity>>;
export type Seat = keyof typeof SEATS;
const PASSENGER_SEATS: readonly Seat[] = ['front_right', 'row2_left', 'row2_middle', 'row2_right'];

/** Slots of the card holder. */
export const CARDS = ['card1', 'card2', 'card3'] as const satisfies readonly Choice[];
export const CARD_STATES = ['PRESENT', 'ABSENT', 'NOT_CONFIGURED'] as const;
export type CardState = (typeof CARD_STATES)[number];

export const GEARS = ['PARK', 'REVERSE', 'NEUTRAL', 'DRIVE', 'SPORT'] as const;
export type Gear = ValueOf<'gear'>;

/** What drives along with the driver and can be switched off. */
export const AIDS = { abs: 'absEnabled', esp: 'espEnabled' } as const satisfies Readonly<
  Record<string, Quantity>
>;
export type Aid = keyof typeof AIDS;

/** What is due at a mileage or on a day (days since 1970, UTC). */
export interface Dues {
  readonly serviceKm: number;
  readonly oilKm: number;
  readonly serviceDay: number;
  readonly oilDay: number;
  readonly brakeFluidDay: number;
}

export const SENSOR_STATES = ['works', 'failed', 'unavailable'] as const;
export type SensorState = (typeof SENSOR_STATES)[number];

export interface Equipment {
  readonly openings: Readonly<Record<Opening, boolean>>;
  /** Who is driven about: they fasten their belts when the driver does. */
  readonly passengers: readonly Seat[];
  /** Belts that somebody holds fastened or open, whoever sits there. */
  readonly belts: Readonly<Partial<Record<Seat, boolean>>>;
  readonly keyPresent: boolean;
  readonly cards: readonly CardState[];
  readonly aids: Readonly<Record<Aid, boolean>>;
  /** Where somebody holds the selector lever; undefined: where the driver moves it. */
  readonly gear?: Gear | undefined;
  readonly levels: Levels;
  readonly dues: Dues;
  /** Trouble codes that are stored. */
  readonly codes: readonly TroubleCode[];
  readonly next: NextFault;
  /** Sensors that do not work. */
  readonly sensors: Readonly<Partial<Record<Quantity, Exclude<SensorState, 'works'>>>>;
  readonly batteries: readonly DriveBattery[];
  readonly firstSerial: number;
}

const DAY_MS = 86_400_000;
/** From one workshop to the next. */
export const INTERVALS = {
  serviceKm: 30_000,
  oilKm: 15_000,
  serviceDays: 730,
  oilDays: 365,
  brakeFluidDays: 730,
};

/** The equipment of a vehicle that is met for the first time at that moment. `fault`: the stream of its first fault. */
export function drawnEquipment(
  { stream, fault }: { readonly stream: Stream; readonly fault: Stream },
  model: VehicleModel,
  moment: Moment,
  energyKwh: number,
): Equipment {
  const { mileageKm } = moment;
  const today = Math.floor(moment.atMs / DAY_MS);
  const ports = model.body.batteryPorts ?? 0;
  return {
    levels: drawnLevels(stream, moment),
    dues: {
      serviceKm: mileageKm + stream.whole(500, INTERVALS.serviceKm),
      oilKm: mileageKm + stream.whole(300, INTERVALS.oilKm),
      serviceDay: today + stream.whole(20, INTERVALS.serviceDays),
      oilDay: today + stream.whole(15, INTERVALS.oilDays),
      brakeFluidDay: today + stream.whole(30, INTERVALS.brakeFluidDays),
    },
    cards: CARDS.map(() => stream.pick(CARD_STATES)),
    firstSerial: stream.whole(0, 0xffff_ffff - 1),
    openings: { windows: false, sunroof: false, convertible_top: false },
    passengers: PASSENGER_SEATS.filter(() => stream.whole(1, 4) === 1),
    belts: {},
    keyPresent: true,
    aids: { abs: true, esp: true },
    codes: [],
    next: drawnFault(fault, model, 0, mileageKm),
    sensors: {},
    batteries: Array.from({ length: ports }, () => ({ kwh: energyKwh / ports, swaps: 0 })),
  };
}

/** All trouble codes at that moment: those that are stored, and those whose cause is there. */
export function codesAt({ codes, levels, next }: Equipment, model: VehicleModel, moment: Moment) {
  return joinedCodes(codes, causedCodes(levels, next, model, moment));
}
