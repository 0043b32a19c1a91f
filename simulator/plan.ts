import type { Generation } from '../protocol/message.ts';
import { MODELS } from '../protocol/models/models.ts';
import type { Random, Stream } from '../world/random.ts';
import type { BoxPlan } from './fleet.ts';
import { ROUTES } from './routes/routes.ts';

/**
 * What the first vehicles are, so that a small fleet has everything: both models, both generations, a firmware just
 * below and just above the one that brought workshop mode. The later ones are left to chance.
 */
const FIRST: readonly (Build & Pick<BoxPlan, 'driving'>)[] = [
  { model: 'petrol-compact', generation: 2, firmware: [2, 24], driving: true },
  { model: 'electric-hatchback', generation: 1, firmware: [2, 23], driving: true },
  { model: 'petrol-compact', generation: 1, firmware: [2, 31], driving: false },
  { model: 'electric-hatchback', generation: 2, firmware: [2, 40], driving: true },
  { model: 'petrol-compact', generation: 2, firmware: [2, 20], driving: true },
];

const LOWEST_MINOR = 20;
const HIGHEST_MINOR = 40;
type Build = Pick<BoxPlan, 'model' | 'generation' | 'firmware'>;

/** One in so many of the later vehicles is parked. */
const PARKED_IN = 5;

/**
 * Plans a fleet from a seed: both models, both generations, firmware 2.20 to 2.40. Equal arguments, equal plan; a
 * larger fleet begins with the boxes of a smaller one.
 */
export function planFleet(random: Random, count: number): readonly BoxPlan[] {
  const plans: BoxPlan[] = [];
  const taken = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const plan = planBox(random.stream(`fleet/${index}`), index, taken);
    for (const id of [plan.boxId, plan.vehicleId, plan.vin, plan.licensePlate]) taken.add(id);
    plans.push(plan);
  }
  return plans;
}

function planBox(stream: Stream, index: number, taken: ReadonlySet<string>): BoxPlan {
  const build = FIRST[index] ?? { ...anyBuild(stream), driving: index % PARKED_IN !== PARKED_IN - 1 };
  return {
    boxId: untaken(taken, () => characters(stream, '0123456789abcdef', 16)),
    secret: characters(stream, SECRET_CHARACTERS, 32),
    vehicleId: untaken(taken, () => characters(stream, ID_CHARACTERS, 5)),
    ...build,
    hardwareRevision: build.generation === 1 ? stream.whole(1, 3) : stream.whole(4, 6),
    route: stream.pick([...ROUTES.keys()]),
    startFraction: stream.whole(0, 9_999) / 10_000,
    vin: untaken(taken, () => vin(stream)),
    licensePlate: untaken(taken, () => licensePlate(stream)),
  };
}

function anyBuild(stream: Stream): Build {
  const generations: readonly Generation[] = [1, 2];
  return {
    model: stream.pick([...MODELS.keys()]),
    generation: stream.pick(generations),
    firmware: [2, stream.whole(LOWEST_MINOR, HIGHEST_MINOR)],
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ID_CHARACTERS = `${LETTERS}0123456789`;
/** Those of base64url. */
const SECRET_CHARACTERS = `${LETTERS}abcdefghijklmnopqrstuvwxyz0123456789-_`;

function characters(stream: Stream, alphabet: string, length: number): string {
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

function vin(stream: Stream): string {
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

/** A plate of Berlin, without the letters that are not given out. */
function licensePlate(stream: Stream): string {
  const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
  return `B-${characters(stream, letters, 2)} ${stream.whole(1_000, 9_999)}`;
}
