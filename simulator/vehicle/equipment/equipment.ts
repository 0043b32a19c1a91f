/**
 * The equipment of a vehicle, apart from its driving: openings, belts, consumables, services that are due, faults,
 * faulty sensors. It changes by people's actions (vehicle-operations.ts), and otherwise only with mileage and time, in
 * closed formulas. Invariants (test/properties/equipment.test.ts):
 *
 *   - energy rises only at the pump, at the plug, or by fresh batteries; it charges only while plugged in and
 *     stationary, and with a plug in it does not drive
 *   - levels are within 0 to 100 and rise only by refilling or repairs
 *   - a distance until a service falls only by driving, exactly as the mileage rises; a due date does not change
 *   - a trouble code stays until a workshop clears it, and comes back immediately if its cause is still present
 *   - a driver is belted, unless set otherwise
 *   - the result for a moment does not depend on how often it is computed
 */
import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { ChoiceQuantity, Quantity, ValueOf } from '../../../protocol/models/quantities.ts';
import type { Stream } from '../../../world/random/random.ts';
import type { DriveBattery } from '../energy/drive-batteries.ts';
import { drawnLevels, type LevelReadings, type TimeAndMileage } from './levels.ts';
import { causedCodes, drawnFault, joinedCodes, type NextFault, type TroubleCode } from './trouble-codes.ts';

/** Openings in addition to the doors, by their quantity. */
export const VEHICLE_OPENINGS = {
  windows: 'windowsOpen',
  sunroof: 'sunroofOpen',
  convertible_top: 'convertibleTopOpen',
} as const satisfies Readonly<Record<string, Quantity>>;
export type VehicleOpening = keyof typeof VEHICLE_OPENINGS;

/** Seats with a belt, by the belt's quantity. */
export const SEATS = {
  front_left: 'beltFrontLeft',
  front_right: 'beltFrontRight',
  row2_left: 'beltRow2Left',
  row2_middle: 'beltRow2Middle',
  row2_right: 'beltRow2Right',
} as const satisfies Readonly<Record<string, Quantity>>;
export type Seat = keyof typeof SEATS;
const PASSENGER_SEATS: readonly Seat[] = ['front_right', 'row2_left', 'row2_middle', 'row2_right'];

/** The slots of the card holder. */
export const CARDS = ['card1', 'card2', 'card3'] as const satisfies readonly ChoiceQuantity[];
export const CARD_STATES = ['PRESENT', 'ABSENT', 'NOT_CONFIGURED'] as const;
export type CardState = (typeof CARD_STATES)[number];

export const GEARS = ['PARK', 'REVERSE', 'NEUTRAL', 'DRIVE', 'SPORT'] as const;
export type Gear = ValueOf<'gear'>;

/** Driving aids that can be switched off. */
export const DRIVING_AIDS = { abs: 'absEnabled', esp: 'espEnabled' } as const satisfies Readonly<
  Record<string, Quantity>
>;
export type DrivingAid = keyof typeof DRIVING_AIDS;

/** When services are due: at a mileage or on a day (days since 1970, UTC). */
export interface ServiceDues {
  readonly serviceKm: number;
  readonly oilKm: number;
  readonly serviceDay: number;
  readonly oilDay: number;
  readonly brakeFluidDay: number;
}

export const SENSOR_STATES = ['works', 'failed', 'unavailable'] as const;
export type SensorState = (typeof SENSOR_STATES)[number];

export interface Equipment {
  readonly openings: Readonly<Record<VehicleOpening, boolean>>;
  /** Occupied passenger seats: passengers fasten their belts when the driver does. */
  readonly passengers: readonly Seat[];
  /** Belts that are set to fastened or open, regardless of the occupants. */
  readonly belts: Readonly<Partial<Record<Seat, boolean>>>;
  readonly keyPresent: boolean;
  readonly cards: readonly CardState[];
  readonly aids: Readonly<Record<DrivingAid, boolean>>;
  /** The position that the selector lever is set to; undefined: the driver moves it. */
  readonly gear?: Gear | undefined;
  readonly levels: LevelReadings;
  readonly dues: ServiceDues;
  /** Stored trouble codes. */
  readonly codes: readonly TroubleCode[];
  readonly next: NextFault;
  /** Faulty sensors. */
  readonly sensors: Readonly<Partial<Record<Quantity, Exclude<SensorState, 'works'>>>>;
  readonly batteries: readonly DriveBattery[];
  readonly firstSerial: number;
}

const DAY_MS = 86_400_000;
/** From one service to the next. */
export const INTERVALS = {
  serviceKm: 30_000,
  oilKm: 15_000,
  serviceDays: 730,
  oilDays: 365,
  brakeFluidDays: 730,
};

/** The equipment of a new vehicle at this moment. `fault`: the stream of its first fault. */
export function drawnEquipment(
  { stream, fault }: { readonly stream: Stream; readonly fault: Stream },
  model: VehicleModel,
  moment: TimeAndMileage,
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

/** All trouble codes at this moment: the stored ones, and those whose cause is present. */
export function codesAt({ codes, levels, next }: Equipment, model: VehicleModel, moment: TimeAndMileage) {
  return joinedCodes(codes, causedCodes(levels, next, model, moment));
}
