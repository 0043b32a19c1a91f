import type { GoingDown, ResetReason } from '../../protocol/message.ts';
import { topics } from '../../protocol/topics.ts';
import { limits } from '../limits.ts';
import { concludeCrash } from './detect-crash.ts';
import { modemOff } from './modem.ts';
import { publish } from './outbox.ts';
import { resetBox } from './power.ts';
import { hangUp, linkLost } from './session.ts';
import { frameOf, type Turn } from './turn.ts';

/** On its way down on purpose: waits for its goodbyes to be acknowledged. */
export interface Leaving {
  readonly tokens: readonly number[];
  readonly until: number;
  readonly landing: Landing;
}

/** What a box does once it has said goodbye. */
export type Landing =
  | { readonly do: 'reset'; readonly reason: ResetReason; readonly downMs: number }
  /** Writes a program into the other bank. */
  | { readonly do: 'install' }
  /** Powers down until the supply is good again. */
  | { readonly do: 'sleep' };

interface Way {
  readonly says: GoingDown['reason'];
  readonly expectedS: number;
  readonly landing: Landing;
}

/**
 * Why a box goes, what it says of that, and what it does landing. A reset that somebody has asked for is USER, one that its
 * program needs is SOFTWARE.
 */
const WAYS = {
  reset: {
    says: 'reset',
    expectedS: limits.resetExpectedS,
    landing: { do: 'reset', reason: 'USER', downMs: limits.resetDownMs },
  },
  flash: {
    says: 'update',
    expectedS: limits.updateExpectedS,
    landing: { do: 'reset', reason: 'SOFTWARE', downMs: limits.updateDownMs },
  },
  update: { says: 'update', expectedS: limits.updateExpectedS, landing: { do: 'install' } },
  sleep: { says: 'sleep', expectedS: limits.sleepExpectedS, landing: { do: 'sleep' } },
} as const satisfies Record<string, Way>;

/** Says goodbye where somebody can hear it: a going-down notice, and `gone` retained in place of the birth. */
export function leave(turn: Turn, why: keyof typeof WAYS): void {
  const { says, expectedS, landing } = WAYS[why];
  if (turn.ram.session.phase !== 'ready' || turn.ram.hang !== undefined) {
    hangUp(turn);
    land(turn, landing);
    return;
  }
  const { boxId } = turn.facts;
  const { connection } = turn.flash.counters;
  const goodbye = frameOf(turn, { kind: 'going-down', reason: says, expectedS });
  const notice = publish(turn, topics.up(boxId), goodbye, false);
  const gone = publish(turn, topics.presence(boxId), frameOf(turn, { kind: 'gone', connection }), true);
  turn.ram.leaving = { tokens: [notice, gone], until: turn.at + limits.leavingMs, landing };
}

/** Goes once the goodbyes are out, the link is cut, or it has waited long enough. */
export function tendLeaving(turn: Turn, { tokens, until, landing }: Leaving): void {
  const { outbox, session } = turn.ram;
  const isCut = session.phase !== 'ready';
  const isOut = tokens.every((token) => !outbox.inFlight.some((one) => one.token === token));
  if (!isCut && turn.at < until && !isOut) return;
  if (!isCut) turn.effects.push({ kind: 'disconnect' });
  land(turn, landing);
}

function land(turn: Turn, landing: Landing): void {
  if (landing.do === 'reset') {
    resetBox(turn, landing.reason, landing.downMs);
    return;
  }
  // The processor goes on, without a link and without a modem, until what it does is done.
  linkLost(turn);
  turn.ram.leaving = undefined;
  turn.ram.errand = undefined;
  turn.ram.modem = modemOff;
  concludeCrash(turn);
  turn.ram.power = landing.do === 'install' ? 'installing' : 'asleep';
  turn.ram.powerLookAt = turn.at + (landing.do === 'install' ? limits.installMs : limits.asleepLookMs);
}
