import { QUANTITIES, type Quantity } from '../../../protocol/models/quantities.ts';
import { isJsonObject, jsonObject } from '../../../world/json.ts';
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

/**
 * The stored equipment, item by item: a missing or invalid item stays as in `drawn`, so that a page of an
 * earlier version can be read. Total: never throws.
 */
export function readEquipment(value: unknown, drawn: Equipment): Equipment {
  if (!isJsonObject(value)) return drawn;
  const { keyPresent, firstSerial, gear } = value;
  return {
    openings: flags(value['openings'], VEHICLE_OPENINGS, drawn.openings),
    belts: beltsOf(value['belts']),
    passengers: listOf(value['passengers'], isSeat) ?? drawn.passengers,
    keyPresent: typeof keyPresent === 'boolean' ? keyPresent : drawn.keyPresent,
    cards: cardsOf(value['cards'], drawn.cards),
    aids: flags(value['aids'], DRIVING_AIDS, drawn.aids),
    gear: GEARS.find((one) => one === gear),
    levels: levelsOf(value['levels'], drawn.levels),
    dues: duesOf(value['dues'], drawn.dues),
    codes: listOf(value['codes'], isCode) ?? drawn.codes,
    next: nextOf(value['next']) ?? drawn.next,
    sensors: sensorsOf(value['sensors']),
    batteries: batteriesOf(value['batteries'], drawn.batteries),
    firstSerial: isAmount(firstSerial) && firstSerial <= 0xffff_ffff ? firstSerial : drawn.firstSerial,
  };
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
  const found = jsonObject(value);
  const read = Object.keys(names).map((name) => {
    const flag = found[name];
    return [name, typeof flag === 'boolean' ? flag : drawn[name as Name]];
  });
  return Object.fromEntries(read) as Record<Name, boolean>;
}

function beltsOf(value: unknown): Equipment['belts'] {
  const known = Object.entries(jsonObject(value)).filter(
    ([name, flag]) => isSeat(name) && typeof flag === 'boolean',
  );
  return Object.fromEntries(known) as Equipment['belts'];
}

function cardsOf(value: unknown, drawn: Equipment['cards']): Equipment['cards'] {
  const found: readonly unknown[] = Array.isArray(value) ? value : [];
  return drawn.map((card, index) => CARD_STATES.find((state) => state === found[index]) ?? card);
}

function levelsOf(value: unknown, drawn: LevelReadings): LevelReadings {
  const found = jsonObject(value);
  const read = LEVEL_NAMES.map((name) => [name, levelOf(found[name]) ?? drawn[name]]);
  return Object.fromEntries(read) as LevelReadings;
}

function levelOf(value: unknown): LevelReading | undefined {
  const { percent, mileageKm, atMs } = jsonObject(value);
  if (!isAmount(percent) || percent > 100 || !isAmount(mileageKm) || !isNumber(atMs)) return undefined;
  return { percent, mileageKm, atMs };
}

function duesOf(value: unknown, drawn: ServiceDues): ServiceDues {
  const found = jsonObject(value);
  const read = Object.entries(drawn).map(([name, due]) => [name, isNumber(found[name]) ? found[name] : due]);
  return Object.fromEntries(read) as ServiceDues;
}

function nextOf(value: unknown): NextFault | undefined {
  const { count, code, mileageKm } = jsonObject(value);
  return isAmount(count) && isCode(code) && isNumber(mileageKm) ? { count, code, mileageKm } : undefined;
}

function sensorsOf(value: unknown): Equipment['sensors'] {
  const known = Object.entries(jsonObject(value)).filter(
    ([name, state]) =>
      Object.hasOwn(QUANTITIES, name) && state !== 'works' && SENSOR_STATES.some((one) => one === state),
  );
  return Object.fromEntries(known) as Partial<Record<Quantity, 'failed' | 'unavailable'>>;
}

/** As many batteries as the model has ports. */
function batteriesOf(value: unknown, drawn: readonly DriveBattery[]): readonly DriveBattery[] {
  const found: readonly unknown[] = Array.isArray(value) ? value : [];
  return drawn.map((battery, index) => {
    const { kwh, swaps } = jsonObject(found[index]);
    if (!isAmount(swaps) || !(kwh === undefined || isAmount(kwh))) return battery;
    return { kwh, swaps };
  });
}
