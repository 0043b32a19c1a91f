import { QUANTITIES, type Quantity } from '../../../protocol/models/quantities.ts';
import type { DriveBattery } from '../energy/drive-batteries.ts';
import {
  CARD_STATES,
  DRIVING_AIDS,
  type Equipment,
  GEARS,
  SEATS,
  SENSOR_STATES,
  type Seat,
  type ServiceDues,
  VEHICLE_OPENINGS,
} from './equipment.ts';
import { LEVEL_NAMES, type LevelReading, type LevelReadings } from './levels.ts';
import type { NextFault } from './trouble-codes.ts';

type FoundObject = Readonly<Record<string, unknown>>;

/**
 * The stored equipment, item by item: what is missing or invalid stays as in `drawn`, so that a page of an
 * earlier version can be read. Total: never throws.
 */
export function readEquipment(value: unknown, drawn: Equipment): Equipment {
  const found = objectOf(value);
  if (found === undefined) return drawn;
  const { keyPresent, firstSerial, gear } = found;
  return {
    openings: flags(found['openings'], VEHICLE_OPENINGS, drawn.openings),
    belts: beltsOf(found['belts']),
    passengers: listOf(found['passengers'], isSeat) ?? drawn.passengers,
    keyPresent: typeof keyPresent === 'boolean' ? keyPresent : drawn.keyPresent,
    cards: cardsOf(found['cards'], drawn.cards),
    aids: flags(found['aids'], DRIVING_AIDS, drawn.aids),
    gear: GEARS.find((one) => one === gear),
    levels: levelsOf(found['levels'], drawn.levels),
    dues: duesOf(found['dues'], drawn.dues),
    codes: listOf(found['codes'], isCode) ?? drawn.codes,
    next: nextOf(found['next']) ?? drawn.next,
    sensors: sensorsOf(found['sensors']),
    batteries: batteriesOf(found['batteries'], drawn.batteries),
    firstSerial: isAmount(firstSerial) && firstSerial <= 0xffff_ffff ? firstSerial : drawn.firstSerial,
  };
}

function objectOf(value: unknown): FoundObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as FoundObject)
    : undefined;
}

function isAmount(value: unknown): value is number {
  return isNumber(value) && value >= 0;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCode(value: unknown): value is number {
  return Number.isInteger(value) && isAmount(value) && value <= 0xffff;
}

function isSeat(value: unknown): value is Seat {
  return typeof value === 'string' && Object.hasOwn(SEATS, value);
}

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): readonly Item[] | undefined {
  return Array.isArray(value) && value.every(isItem) ? value : undefined;
}

function flags<Name extends string>(
  value: unknown,
  names: Readonly<Record<Name, unknown>>,
  drawn: Readonly<Record<Name, boolean>>,
): Readonly<Record<Name, boolean>> {
  const found = objectOf(value) ?? {};
  const read = Object.keys(names).map((name) => {
    const flag = found[name];
    return [name, typeof flag === 'boolean' ? flag : drawn[name as Name]];
  });
  return Object.fromEntries(read) as Record<Name, boolean>;
}

function beltsOf(value: unknown): Equipment['belts'] {
  const known = Object.entries(objectOf(value) ?? {}).filter(
    ([name, flag]) => isSeat(name) && typeof flag === 'boolean',
  );
  return Object.fromEntries(known) as Equipment['belts'];
}

function cardsOf(value: unknown, drawn: Equipment['cards']): Equipment['cards'] {
  const found: readonly unknown[] = Array.isArray(value) ? value : [];
  return drawn.map((card, index) => CARD_STATES.find((state) => state === found[index]) ?? card);
}

function levelsOf(value: unknown, drawn: LevelReadings): LevelReadings {
  const found = objectOf(value) ?? {};
  const read = LEVEL_NAMES.map((name) => [name, levelOf(found[name]) ?? drawn[name]]);
  return Object.fromEntries(read) as LevelReadings;
}

function levelOf(value: unknown): LevelReading | undefined {
  const { percent, mileageKm, atMs } = objectOf(value) ?? {};
  if (!isAmount(percent) || percent > 100 || !isAmount(mileageKm) || !isNumber(atMs)) return undefined;
  return { percent, mileageKm, atMs };
}

function duesOf(value: unknown, drawn: ServiceDues): ServiceDues {
  const found = objectOf(value) ?? {};
  const read = Object.entries(drawn).map(([name, due]) => [name, isNumber(found[name]) ? found[name] : due]);
  return Object.fromEntries(read) as ServiceDues;
}

function nextOf(value: unknown): NextFault | undefined {
  const { count, code, mileageKm } = objectOf(value) ?? {};
  return isAmount(count) && isCode(code) && isNumber(mileageKm) ? { count, code, mileageKm } : undefined;
}

function sensorsOf(value: unknown): Equipment['sensors'] {
  const known = Object.entries(objectOf(value) ?? {}).filter(
    ([name, state]) =>
      Object.hasOwn(QUANTITIES, name) && state !== 'works' && SENSOR_STATES.some((one) => one === state),
  );
  return Object.fromEntries(known) as Partial<Record<Quantity, 'failed' | 'unavailable'>>;
}

/** As many batteries as the model has ports. */
function batteriesOf(value: unknown, drawn: readonly DriveBattery[]): readonly DriveBattery[] {
  const found: readonly unknown[] = Array.isArray(value) ? value : [];
  return drawn.map((battery, index) => {
    const { kwh, swaps } = objectOf(found[index]) ?? {};
    if (!isAmount(swaps) || !(kwh === undefined || isAmount(kwh))) return battery;
    return { kwh, swaps };
  });
}
