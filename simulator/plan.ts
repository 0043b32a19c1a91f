import { NEWEST_FIRMWARE, OLDEST_FIRMWARE } from '../protocol/firmware.ts';
import type { Generation } from '../protocol/message.ts';
import type { VehicleModel } from '../protocol/models/model.ts';
import { MODELS } from '../protocol/models/models.ts';
import type { Random, Stream } from '../world/random.ts';
import type { BoxPlan } from './fleet.ts';
import type { RadioSetting } from './radio/setting.ts';
import { HOME_ROUTES, ROUTES } from './routes/routes.ts';
import { SIM_PROVIDER_NAMES, type SimProviderName } from './sim-provider/names.ts';

/**
 * What the first vehicles are, so that a small fleet has both generations, a car of each drive and a moped, and a
 * firmware just below and just above the one that brought workshop mode. After them comes one of each further model;
 * all else is left to chance.
 */
const FIRST: readonly (Build & Pick<BoxPlan, 'driving'>)[] = [
  { model: 'petrol-compact', generation: 2, firmware: [2, 24], driving: true },
  { model: 'electric-hatchback', generation: 1, firmware: [2, 23], driving: true },
  { model: 'petrol-compact', generation: 1, firmware: [2, 31], driving: false },
  { model: 'electric-hatchback', generation: 2, firmware: [2, 40], driving: true },
  { model: 'petrol-compact', generation: 2, firmware: [2, 20], driving: true },
  { model: 'electric-moped', generation: 2, firmware: [2, 33], driving: false },
];

type Build = Pick<BoxPlan, 'model' | 'generation' | 'firmware'>;

/** One in so many of the later vehicles is parked, and one in so many is a moped. */
const PARKED_IN = 5;
const MOPED_IN = 6;
/** One in so many of the later vehicles is in another city than the rest. */
const AWAY_IN = 4;
const AWAY_ROUTES = [...ROUTES.keys()].filter((name) => !HOME_ROUTES.includes(name));
const MOPEDS = modelsWhere(({ vehicleType }) => vehicleType === 'MOPED');
const CARS = modelsWhere(({ vehicleType }) => vehicleType !== 'MOPED');
const FURTHER = modelsWhere(({ name }) => FIRST.every(({ model }) => model !== name));

/** Parked, and therefore plugged in: a fleet of fifteen has one that charges when it starts. */
const CHARGED_AT = 3 * PARKED_IN - 1;
const CHARGED = 'electric-city-car';

function modelsWhere(accepts: (model: VehicleModel) => boolean): readonly string[] {
  return [...MODELS.values()].filter(accepts).map((model) => model.name);
}

/**
 * Plans a fleet from a seed: every model, both generations, every firmware that is in the field. Equal arguments, equal
 * plan; a larger fleet begins with the boxes of a smaller one.
 */
export function planFleet(random: Random, count: number): readonly BoxPlan[] {
  const plans: BoxPlan[] = [];
  const taken = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const card = planCard(random.stream(`fleet/${index}/sim`), index, taken);
    // Of a stream of its own, so that the other draws of a vehicle stay what they were before there were mopeds.
    const kind = random.stream(`fleet/${index}/model`);
    const moped = kind.whole(1, MOPED_IN) === 1 ? kind.pick(MOPEDS) : undefined;
    const model = FURTHER[index - FIRST.length] ?? (index === CHARGED_AT ? CHARGED : moped);
    const stream = random.stream(`fleet/${index}`);
    const driving = index % PARKED_IN !== PARKED_IN - 1;
    const build = FIRST[index] ?? { ...anyBuild(stream), ...(model === undefined ? {} : { model }), driving };
    const plan = { ...planBox(stream, build, taken), sim: card };
    // Of a stream of its own, too: some of the later ones are on their way in other cities.
    const elsewhere = random.stream(`fleet/${index}/route`);
    const isAway = FIRST[index] === undefined && elsewhere.whole(1, AWAY_IN) === 1;
    for (const id of idsOf(plan)) taken.add(id);
    plans.push(isAway ? { ...plan, route: elsewhere.pick(AWAY_ROUTES) } : plan);
  }
  return plans;
}

/**
 * Boxes that a fleet has on its shelf: built into vehicles, powered and connected, and in no vehicle record. The first
 * two can be set up as they stand; the third finds its vehicle silent until somebody turns the ignition on.
 */
const SHELF: readonly (Build & Pick<BoxPlan, 'driving'>)[] = [
  { model: 'electric-hatchback', generation: 2, firmware: [2, 36], driving: false },
  { model: 'petrol-compact', generation: 2, firmware: [2, 30], driving: true },
  { model: 'petrol-compact', generation: 1, firmware: [2, 28], driving: false },
];

/** Plans the shelf beside a fleet. They have no vehicle id yet. */
export function planShelf(random: Random, fleet: readonly BoxPlan[]): readonly BoxPlan[] {
  const taken = new Set(fleet.flatMap(idsOf));
  return SHELF.map((build, index) => {
    const sim = planCard(random.stream(`shelf/${index}/sim`), index, taken);
    const plan = { ...planBox(random.stream(`shelf/${index}`), build, taken), sim, vehicleId: '' };
    for (const id of idsOf(plan)) taken.add(id);
    return plan;
  });
}

/** What is wished of one vehicle; what is absent is drawn. */
export interface Wish {
  readonly model?: string;
  readonly generation?: Generation;
  readonly firmware?: readonly [major: number, minor: number];
  readonly hardwareRevision?: number;
  readonly sim?: SimProviderName;
  readonly route?: string;
  readonly driving?: boolean;
  readonly journalRecords?: number;
  readonly radio?: RadioSetting;
}

/**
 * Plans the vehicle at one place of a fleet, from 0 on. Its streams are those of the place, and everything is drawn
 * whatever is wished: a wish changes neither another vehicle nor the rest of this one.
 */
export function planWished(random: Random, index: number, wish: Wish, taken: ReadonlySet<string>): BoxPlan {
  const card = planCard(random.stream(`fleet/${index}/sim`), index, taken);
  const kind = random.stream(`fleet/${index}/model`);
  const moped = kind.whole(1, MOPED_IN) === 1 ? kind.pick(MOPEDS) : undefined;
  const stream = random.stream(`fleet/${index}`);
  const drawn = anyBuild(stream);
  // Revisions from 4 on are of the second generation.
  const known = wish.hardwareRevision === undefined ? undefined : wish.hardwareRevision > 3 ? 2 : 1;
  const build = {
    model: wish.model ?? moped ?? drawn.model,
    generation: wish.generation ?? known ?? drawn.generation,
    firmware: wish.firmware ?? drawn.firmware,
    driving: wish.driving ?? random.stream(`fleet/${index}/driving`).whole(1, PARKED_IN) !== 1,
  };
  const plan = planBox(stream, build, taken);
  return {
    ...plan,
    sim: { ...card, provider: wish.sim ?? card.provider },
    ...(wish.hardwareRevision === undefined ? {} : { hardwareRevision: wish.hardwareRevision }),
    ...(wish.route === undefined ? {} : { route: wish.route }),
    ...(wish.journalRecords === undefined ? {} : { journalRecords: wish.journalRecords }),
    ...(wish.radio === undefined ? {} : { radio: wish.radio }),
  };
}

export function idsOf(plan: BoxPlan): readonly string[] {
  return [plan.boxId, plan.vehicleId, plan.vin, plan.licensePlate, plan.sim.iccid];
}

function planBox(
  stream: Stream,
  build: Build & Pick<BoxPlan, 'driving'>,
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

function anyBuild(stream: Stream): Build {
  const generations: readonly Generation[] = [1, 2];
  return {
    model: stream.pick(CARS),
    generation: stream.pick(generations),
    firmware: [NEWEST_FIRMWARE[0], stream.whole(OLDEST_FIRMWARE[1], NEWEST_FIRMWARE[1])],
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ID_CHARACTERS = `${LETTERS}0123456789`;
/** Those of base64url. */
const SECRET_CHARACTERS = `${LETTERS}abcdefghijklmnopqrstuvwxyz0123456789-_`;

/** `length` characters of the alphabet. */
export function characters(stream: Stream, alphabet: string, length: number): string {
  let text = '';
  while (text.length < length) text += alphabet.charAt(stream.whole(0, alphabet.length - 1));
  return text;
}

function untaken(taken: ReadonlySet<string>, draw: () => string): string {
  let drawn = draw();
  while (taken.has(drawn)) drawn = draw();
  return drawn;
}

/** Characters of a VIN (ISO 3779 leaves I, O and Q out), each with its value for the check digit. */
const VIN_VALUES: ReadonlyMap<string, number> = new Map([
  ...[...'0123456789'].map((digit) => [digit, Number(digit)] as const),
  ...[...'ABCDEFGH'].map((letter, index) => [letter, index + 1] as const),
  ...[...'JKLMN'].map((letter, index) => [letter, index + 1] as const),
  ...[...'P'].map((letter) => [letter, 7] as const),
  ...[...'R'].map((letter) => [letter, 9] as const),
  ...[...'STUVWXYZ'].map((letter, index) => [letter, index + 2] as const),
]);
/** Weights of the 17 places (49 CFR 565.15); the ninth is the check digit itself. */
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** A maker that is registered nowhere (the first place, the continent, is Europe's). */
const VIN_MAKER = 'ZZ9';
const CHECK_PLACE = 8;

/** A VIN of a maker that is registered nowhere, with its check digit. */
export function vin(stream: Stream): string {
  const alphabet = [...VIN_VALUES.keys()].join('');
  const raw = `${VIN_MAKER}${characters(stream, alphabet, 7)}${characters(stream, '0123456789', 7)}`;
  return raw.slice(0, CHECK_PLACE) + vinCheckDigit(raw) + raw.slice(CHECK_PLACE + 1);
}

/** The check digit of a VIN, which stands at its ninth place: the weighted sum modulo 11, X for 10. */
export function vinCheckDigit(vin: string): string {
  let sum = 0;
  for (const [place, character] of [...vin].entries()) {
    sum += (VIN_VALUES.get(character) ?? 0) * (VIN_WEIGHTS[place] ?? 0);
  }
  const rest = sum % 11;
  return rest === 10 ? 'X' : String(rest);
}

/** Telecommunication, the shared code of international networks, an issuer that is given to nobody. */
const ICCID_ISSUER = '8988299';

/** The first cards are of one provider each, so that a small fleet has all of them. */
function planCard(stream: Stream, index: number, taken: ReadonlySet<string>): BoxPlan['sim'] {
  const provider = stream.pick(SIM_PROVIDER_NAMES);
  const iccid = untaken(taken, () => {
    const digits = `${ICCID_ISSUER}${characters(stream, '0123456789', 11)}`;
    return digits + luhnDigit(digits);
  });
  return { provider: SIM_PROVIDER_NAMES[index] ?? provider, iccid };
}

/** The digit that makes these digits right with it at their end (ISO/IEC 7812-1 annex B). */
export function luhnDigit(digits: string): string {
  let sum = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
}

/** A plate of Berlin, without the letters that are not given out. */
export function licensePlate(stream: Stream): string {
  const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
  return `B-${characters(stream, letters, 2)} ${stream.whole(1_000, 9_999)}`;
}
