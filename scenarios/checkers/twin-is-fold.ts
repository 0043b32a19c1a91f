import { isDeepStrictEqual } from 'node:util';
import { counted } from '../language/counted.ts';
import { show } from '../run/match.ts';
import type { Player } from '../run/theatre.ts';
import type { Check, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { type FoldTerms, foldFrames } from './fold-frames.ts';
import { limits } from './limits.ts';

/**
 * Compares what the service answers as a vehicle's latest state with what the frames on the wire come to when they are
 * folded on their own (fold-frames.ts): every property, its value, and its time to the second. What the store says is
 * taken only for which records count and when they came. A maker's car has no frames and is not compared.
 */
export const twinIsFold: Check = async (scope) => {
  const findings = new Findings();
  let vehicles = 0;
  let properties = 0;
  let records = 0;
  if (scope.evidence.unbooked().frames > 0)
    return findings.checked('nothing: the book of frames was full, and a fold of a part proves nothing');
  for (const player of scope.players) {
    if (player.boxId === undefined || player.vehicleId === '') continue;
    vehicles += 1;
    const compared = await compare(scope, player);
    properties += compared.properties;
    records += compared.records;
    for (const text of compared.differences)
      findings.say('the twin is not the fold', `${nameOf(player)}: ${text}`, { player });
  }
  return findings.checked(
    `${counted(vehicles, 'vehicle')}, ${counted(properties, 'property', 'properties')} of ${counted(records, 'record')}`,
  );
};

interface Compared {
  readonly differences: readonly string[];
  readonly properties: number;
  readonly records: number;
}

/** A vehicle that drives goes on telling: what differs is looked at anew before it counts. */
async function compare({ evidence }: CheckScope, player: Player): Promise<Compared> {
  for (let look = 1; ; look += 1) {
    const answered = await evidence.twin(player);
    const twin = stateOf(answered['latest_vehicle_state']);
    const { state, records } = await foldFrames(evidence, player, termsOf(answered));
    const differences: string[] = [];
    for (const name of new Set([...state.keys(), ...twin.keys()])) {
      const folded = state.get(name);
      const answer = twin.get(name);
      if (folded === undefined) {
        // What is neither in the fold nor told by records that are still kept cannot be judged.
        const { records: ever } = await evidence.everStored(player);
        if (ever <= records) differences.push(`${name} is ${show(answer)}, and no stored frame tells it`);
      } else if (folded.value === null) {
        // The record said that there is none any more.
        if (answer !== undefined)
          differences.push(`${name} is ${show(answer)}, and record ${folded.key} tells that it has ended`);
      } else if (answer === undefined) {
        differences.push(`${name} is absent, and record ${folded.key} tells ${show(plain(folded.value))}`);
      } else if (!isDeepStrictEqual(plain(folded.value), answer.value)) {
        differences.push(
          `${name} is ${show(answer.value)}, and record ${folded.key} tells ${show(plain(folded.value))}`,
        );
      } else if (Math.floor(folded.timestampMs / 1_000) * 1_000 !== Date.parse(answer.timestamp)) {
        const told = new Date(folded.timestampMs).toISOString();
        differences.push(`${name} is of ${answer.timestamp}, and record ${folded.key} tells it of ${told}`);
      }
    }
    if (differences.length === 0 || look >= limits.looks)
      return { differences, properties: state.size, records };
  }
}

function termsOf(answered: Readonly<Record<string, unknown>>): FoldTerms {
  const created = Date.parse(String(answered['created_at']));
  return {
    maintenance: answered['maintenance_booked'] === true,
    createdMs: Number.isNaN(created) ? 0 : created,
    isSetUp: answered['setup_status'] === 'SUCCEEDED',
  };
}

interface Property {
  readonly timestamp: string;
  readonly value: unknown;
}

function stateOf(state: unknown): ReadonlyMap<string, Property> {
  if (typeof state !== 'object' || state === null) return new Map();
  return new Map(Object.entries(state as Readonly<Record<string, Property>>));
}

/** As JSON has it. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
