import type { Fact, VehicleNumber } from '../../../judge/evidence/fact.ts';
import { runLimits } from '../../limits.ts';
import type { LookedAt } from './looked-at.ts';

/** The possible causes of a change of a value. */
interface Causes {
  /** The first words of calls. */
  readonly calls: ReadonlySet<string>;
  /** The first words of faults; absent: all. */
  readonly faults?: ReadonlySet<string>;
}

/** The messages to the box. A `request` may be anything. */
const OF_BOX = new Set(['command', 'configure', 'deactivate', 'bulk', 'request', 'onboard', 'offboard']);
const OF_RECORD = new Set([...OF_BOX, 'patch', 'share', 'unshare']);
const OF_FEATURE = new Set(['configure', 'deactivate', 'bulk', 'request', 'onboard', 'offboard']);

/** By the compared value. Faults of the network or the service do not move a bolt of the vehicle. */
const CAUSES: Readonly<Record<LookedAt['of'], Causes>> = {
  truth: { calls: OF_BOX, faults: new Set(['box']) },
  state: { calls: OF_BOX, faults: new Set(['box']) },
  belief: { calls: OF_BOX },
  connected: { calls: OF_BOX },
  journal: { calls: OF_BOX },
  life_status: { calls: OF_BOX },
  feature: { calls: OF_FEATURE },
  vehicle: { calls: OF_RECORD },
};

/** Values of the surrounding air, which weather changes. */
const OF_AIR = /^(?:has(?:Coverage|Sky)|csq|signal|network|gnss|receiver|cellular)/;

/**
 * The last act, fault or call before or at `latestMs` (epoch milliseconds) that was executed and could have changed
 * the compared value: of this vehicle, or of everything. Undefined: none is known.
 */
export function causeBefore(
  facts: readonly Fact[],
  { of, place }: Pick<LookedAt, 'of' | 'place'>,
  vehicle: VehicleNumber,
  latestMs: number,
): { readonly text: string; readonly atMs: number } | undefined {
  const { calls, faults } = CAUSES[of];
  const isOfAir = OF_AIR.test(String(place[0]));
  for (let index = facts.length - 1; index >= 0; index -= 1) {
    const fact = facts[index];
    // An act is recorded when it is over: a phone takes some milliseconds.
    if (fact === undefined || fact.atMs > latestMs + (fact.kind === 'act' ? runLimits.actSlackMs : 0))
      continue;
    const text = causeOf(fact);
    if (text !== undefined) return { text, atMs: fact.atMs };
  }
  return undefined;

  function causeOf(fact: Fact): string | undefined {
    switch (fact.kind) {
      case 'act':
        return fact.vehicle === vehicle && fact.refusal === undefined ? fact.name : undefined;
      case 'fault': {
        if (fact.vehicles.length > 0 && !fact.vehicles.includes(vehicle)) return undefined;
        const part = firstWord(fact.name);
        const canBe = faults === undefined || faults.has(part) || (isOfAir && part === 'weather');
        if (!canBe) return undefined;
        return fact.phase === 'ends' ? `the end of ${fact.name}` : fact.name;
      }
      case 'call': {
        const isAbout = fact.vehicle === undefined || fact.vehicle === vehicle;
        if (!isAbout || !calls.has(firstWord(fact.what)) || isRefused(facts, fact.call)) return undefined;
        return `call ${fact.call} (${fact.what})`;
      }
      default:
        return undefined;
    }
  }
}

/** Whether a call was refused. One without an answer yet, or in time, may have been executed. */
export function isRefused(facts: readonly Fact[], call: number): boolean {
  const answer = facts.findLast((fact) => fact.kind === 'answer' && fact.call === call);
  if (answer?.kind !== 'answer') return false;
  const { status } = answer;
  return (status >= 400 && status < 500) || status === 501 || status === 503;
}

function firstWord(text: string): string {
  return text.split(' ', 1)[0] ?? '';
}
