import { NEWEST_FIRMWARE, OLDEST_FIRMWARE } from '../../protocol/firmware.ts';
import type { Generation } from '../../protocol/message.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { Random, Stream } from '../../world/random/random.ts';
import {
  type BoxPlan,
  type MqttSessionKind,
  type RadioSetting,
  SIM_PROVIDER_NAMES,
  type SimProviderName,
} from '../box-plan.ts';
import { HOME_ROUTES, ROUTES } from '../routes/routes.ts';

/**
 * The first vehicles: a small fleet has both generations, a car of each drive and a moped, and firmware just
 * before and just after the version with workshop mode. Then follows one of each further model; everything
 * else is random.
 */
const FIRST: readonly (BoxBuild & Pick<BoxPlan, 'driving'>)[] = [
  { model: 'petrol-compact', generation: 2, firmware: [2, 24], driving: true },
  { model: 'electric-hatchback', generation: 1, firmware: [2, 23], driving: true },
  { model: 'petrol-compact', generation: 1, firmware: [2, 31], driving: false },
  { model: 'electric-hatchback', generation: 2, firmware: [2, 40], driving: true },
  { model: 'petrol-compact', generation: 2, firmware: [2, 20], driving: true },
  { model: 'electric-moped', generation: 2, firmware: [2, 33], driving: false },
];

type BoxBuild = Pick<BoxPlan, 'model' | 'generation' | 'firmware'>;

/** One of this many later vehicles is parked, and one of this many is a moped. */
const PARKED_IN = 5;
const MOPED_IN = 6;
/** One of this many later vehicles is in another city than the rest. */
const AWAY_IN = 4;
const AWAY_ROUTES = [...ROUTES.keys()].filter((name) => !HOME_ROUTES.includes(name));
const MOPEDS = modelsWhere(({ vehicleType }) => vehicleType === 'MOPED');
const CARS = modelsWhere(({ vehicleType }) => vehicleType !== 'MOPED');
const FURTHER = modelsWhere(({ name }) => FIRST.every(({ model }) => model !== name));

/** Parked and therefore plugged in: a fleet of fifteen has one that charges from the start. */
const CHARGED_AT = 3 * PARKED_IN - 1;
const CHARGED = 'electric-city-car';

function modelsWhere(accepts: (model: VehicleModel) => boolean): readonly string[] {
  return [...MODELS.values()].filter(accepts).map((model) => model.name);
}

/**
 * Plans a fleet from a seed: every model, both generations, every firmware version in the field. Equal
 * arguments give equal plans; a larger fleet begins with the boxes of a smaller one. `ownModels`: the first vehicles
 * are one of each of these, and the same as without them in all else.
 */
export function planFleet(
  random: Random,
  count: number,
  ownModels: readonly string[] = [],
): readonly BoxPlan[] {
  const plans: BoxPlan[] = [];
  const taken = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const card = planCard(random.stream(`fleet/${index}/sim`), index, taken);
    // From a separate stream, so that mopeds did not change the other draws of a vehicle.
    const kind = random.stream(`fleet/${index}/model`);
    const moped = kind.whole(1, MOPED_IN) === 1 ? kind.pick(MOPEDS) : undefined;
    const model = FURTHER[index - FIRST.length] ?? (index === CHARGED_AT ? CHARGED : moped);
    const stream = random.stream(`fleet/${index}`);
    const driving = index % PARKED_IN !== PARKED_IN - 1;
    const build = FIRST[index] ?? { ...anyBuild(stream), ...(model === undefined ? {} : { model }), driving };
    const own = ownModels[index];
    const built = own === undefined ? build : { ...build, model: own };
    const plan = { ...planBox(stream, built, taken), sim: card };
    // From a separate stream, too: some of the later vehicles drive in other cities.
    const elsewhere = random.stream(`fleet/${index}/route`);
    const isAway = FIRST[index] === undefined && elsewhere.whole(1, AWAY_IN) === 1;
    for (const id of idsOf(plan)) taken.add(id);
    plans.push(isAway ? { ...plan, route: elsewhere.pick(AWAY_ROUTES) } : plan);
  }
  return plans;
}

/**
 * Boxes in stock: installed in vehicles, powered and connected, but without a vehicle record. The first two
 * can be set up immediately; the third finds no signals until the ignition is turned on.
 */
const STOCK: readonly (BoxBuild & Pick<BoxPlan, 'driving'>)[] = [
  { model: 'electric-hatchback', generation: 2, firmware: [2, 36], driving: false },
  { model: 'petrol-compact', generation: 2, firmware: [2, 30], driving: true },
  { model: 'petrol-compact', generation: 1, firmware: [2, 28], driving: false },
];

/** Plans the stock of a fleet. These boxes have no vehicle id yet. */
export function planStock(random: Random, fleet: readonly BoxPlan[]): readonly BoxPlan[] {
  const taken = new Set(fleet.flatMap(idsOf));
  return STOCK.map((build, index) => {
    const sim = planCard(random.stream(`shelf/${index}/sim`), index, taken);
    const plan = { ...planBox(random.stream(`shelf/${index}`), build, taken), sim, vehicleId: '' };
    for (const id of idsOf(plan)) taken.add(id);
    return plan;
  });
}

/** The options for one vehicle; absent ones are drawn. */
export interface PlanOptions {
  readonly model?: string;
  readonly generation?: Generation;
  readonly firmware?: readonly [major: number, minor: number];
  readonly hardwareRevision?: number;
  readonly sim?: SimProviderName;
  readonly route?: string;
  readonly driving?: boolean;
  readonly journalRecords?: number;
  readonly mqttSession?: MqttSessionKind;
  readonly radio?: RadioSetting;
}

/**
 * Plans the vehicle at one index of a fleet, from 0. Its streams are named by the index, and everything is
 * drawn whatever the options: an option changes neither another vehicle nor the rest of this one.
 */
export function planWithOptions(
  random: Random,
  index: number,
  options: PlanOptions,
  taken: ReadonlySet<string>,
): BoxPlan {
  const card = planCard(random.stream(`fleet/${index}/sim`), index, taken);
  const kind = random.stream(`fleet/${index}/model`);
  const moped = kind.whole(1, MOPED_IN) === 1 ? kind.pick(MOPEDS) : undefined;
  const stream = random.stream(`fleet/${index}`);
  const drawn = anyBuild(stream);
  // Revisions from 4 on belong to the second generation.
  const known = options.hardwareRevision === undefined ? undefined : options.hardwareRevision > 3 ? 2 : 1;
  const build = {
    model: options.model ?? moped ?? drawn.model,
    generation: options.generation ?? known ?? drawn.generation,
    firmware: options.firmware ?? drawn.firmware,
    driving: options.driving ?? random.stream(`fleet/${index}/driving`).whole(1, PARKED_IN) !== 1,
  };
  const plan = planBox(stream, build, taken);
  return {
    ...plan,
    sim: { ...card, provider: options.sim ?? card.provider },
    ...(options.hardwareRevision === undefined ? {} : { hardwareRevision: options.hardwareRevision }),
    ...(options.route === undefined ? {} : { route: options.route }),
    ...(options.journalRecords === undefined ? {} : { journalRecords: options.journalRecords }),
    ...(options.mqttSession === undefined ? {} : { mqttSession: options.mqttSession }),
    ...(options.radio === undefined ? {} : { radio: options.radio }),
  };
}

export function idsOf(plan: BoxPlan): readonly string[] {
  return [plan.boxId, plan.vehicleId, plan.vin, plan.licensePlate, plan.sim.iccid];
}

function planBox(
  stream: Stream,
  build: BoxBuild & Pick<BoxPlan, 'driving'>,
  taken: ReadonlySet<string>,
): Omit<BoxPlan, 'sim'> {
  return {
    boxId: untaken(taken, () => characters(stream, '0123456789abcdef', 16)),
    secret: characters(stream, SECRET_CHARACTERS, 32),
    vehicleId: untaken(taken, () => characters(stream, ID_CHARACTERS, 5)),
    ...build,
    hardwareRevision: build.generation === 1 ? stream.whole(1, 3) : stream.whole(4, 6),
    route: stream.pick(HOME_ROUTES),
    startFraction: stream.whole(0, 9_999) / 10_000,
    vin: untaken(taken, () => vin(stream)),
    licensePlate: untaken(taken, () => licensePlate(stream)),
  };
}

function anyBuild(stream: Stream): BoxBuild {
  const generations: readonly Generation[] = [1, 2];
  return {
    model: stream.pick(CARS),
    generation: stream.pick(generations),
    firmware: [NEWEST_FIRMWARE[0], stream.whole(OLDEST_FIRMWARE[1], NEWEST_FIRMWARE[1])],
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ID_CHARACTERS = `${LETTERS}0123456789`;
/** The characters of base64url. */
const SECRET_CHARACTERS = `${LETTERS}abcdefghijklmnopqrstuvwxyz0123456789-_`;

/** `length` characters of the alphabet. */
export function characters(stream: Stream, alphabet: string, length: number): string {
  // Joined, not added up: V8 keeps a sum as a tree of its parts.
  return Array.from({ length }, () => alphabet.charAt(stream.whole(0, alphabet.length - 1))).join('');
}

function untaken(taken: ReadonlySet<string>, draw: () => string): string {
  let drawn = draw();
  while (taken.has(drawn)) drawn = draw();
  return drawn;
}

/** Characters of a VIN (ISO 3779 excludes I, O and Q), each with its value for the check digit. */
const VIN_VALUES: ReadonlyMap<string, number> = new Map([
  ...[...'0123456789'].map((digit) => [digit, Number(digit)] as const),
  ...[...'ABCDEFGH'].map((letter, index) => [letter, index + 1] as const),
  ...[...'JKLMN'].map((letter, index) => [letter, index + 1] as const),
  ...[...'P'].map((letter) => [letter, 7] as const),
  ...[...'R'].map((letter) => [letter, 9] as const),
  ...[...'STUVWXYZ'].map((letter, index) => [letter, index + 2] as const),
]);
/** Weights of the 17 positions (49 CFR 565.15); the ninth is the check digit itself. */
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** An unregistered maker (the first character is Europe's). */
const VIN_MAKER = 'ZZ9';
const CHECK_PLACE = 8;

/** A VIN of an unregistered maker, with its check digit. */
export function vin(stream: Stream): string {
  const alphabet = [...VIN_VALUES.keys()].join('');
  const raw = `${VIN_MAKER}${characters(stream, alphabet, 7)}${characters(stream, '0123456789', 7)}`;
  return raw.slice(0, CHECK_PLACE) + vinCheckDigit(raw) + raw.slice(CHECK_PLACE + 1);
}

/** The check digit of a VIN, at its ninth position: the weighted sum modulo 11, X for 10. */
export function vinCheckDigit(vin: string): string {
  let sum = 0;
  for (const [place, character] of [...vin].entries()) {
    sum += (VIN_VALUES.get(character) ?? 0) * (VIN_WEIGHTS[place] ?? 0);
  }
  const rest = sum % 11;
  return rest === 10 ? 'X' : String(rest);
}

/** Telecommunication, the shared code of international networks, an unassigned issuer. */
const ICCID_ISSUER = '8988299';

/** The first cards have one provider each, so that a small fleet has all of them. */
function planCard(stream: Stream, index: number, taken: ReadonlySet<string>): BoxPlan['sim'] {
  const provider = stream.pick(SIM_PROVIDER_NAMES);
  const iccid = untaken(taken, () => {
    const digits = `${ICCID_ISSUER}${characters(stream, '0123456789', 11)}`;
    return digits + luhnDigit(digits);
  });
  return { provider: SIM_PROVIDER_NAMES[index] ?? provider, iccid };
}

/** The check digit to append to these digits (ISO/IEC 7812-1 annex B). */
export function luhnDigit(digits: string): string {
  let sum = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
}

/** A Berlin licence plate, without the letters that are not in use. */
export function licensePlate(stream: Stream): string {
  const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
  return `B-${characters(stream, letters, 2)} ${stream.whole(1_000, 9_999)}`;
}
