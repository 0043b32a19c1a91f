import type { CommandRequest } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Actuation, Senses } from '../vehicle/senses.ts';
import { answer, isExpired } from './answers.ts';
import { concludeAccess } from './ble-access.ts';
import { codeOf, type Deed, deedOfCode } from './deeds.ts';
import { intentKey, intentPage } from './pages.ts';
import { noticeOwnDoing } from './sampler.ts';
import type { Intent } from './state.ts';
import type { Turn } from './turn.ts';
import { readSignals } from './workshop.ts';

/**
 * What the outputs move is moved as a whole: where one part does not move, the parts that did are put back as they
 * stood. The intent in flash holds how they stood, so that after a reset in between the box can look what came of
 * it, put back what is half done while the command has not expired, and answer what is so.
 */
type Moves = Extract<Deed, { readonly do: 'actuate' }>;

/** What the box was doing when a part did not move, and puts back now. */
export interface Undoing {
  /** Of the reply's text, up to 30 characters. */
  readonly cause: string;
  readonly moves: readonly Actuation[];
}

interface Words {
  readonly failed: string;
  readonly part: string;
  readonly on: string;
  readonly off: string;
}

/** Of each output. A cause, `; `, a part and its state are never longer than a reply's text. */
const WORDS: Readonly<Record<Actuation['set'], Words>> = {
  locked: words('the central lock did not move', 'the central lock', 'locked', 'unlocked'),
  drivingEnabled: words('the immobilizer did not switch', 'driving', 'enabled', 'disabled'),
  topCaseLocked: words('the top case lock did not move', 'the top case', 'locked', 'unlocked'),
  compartmentLocked: words('the compartment did not open', 'the compartment', 'shut', 'open'),
  attention: words('lights and horn did not go', 'the horn', 'on', 'off'),
};
const INTERRUPTED = 'interrupted by a reset';

function words(failed: string, part: string, on: string, off: string): Words {
  return { failed, part, on, off };
}

/** Why these parts must not be moved now; undefined: they may be. */
export function obstacleTo({ actuations, standing }: Moves, senses: Senses): string | undefined {
  if (standing && senses.speedKph >= limits.movingSpeedKph) return 'the vehicle is moving';
  const locks = (set: Actuation['set']) => actuations.some((one) => one.set === set && one.to);
  if (locks('locked') && senses.anyDoorOpen) return 'a door is open';
  if (locks('topCaseLocked') && senses.topCaseOpen) return 'the top case is open';
  return undefined;
}

/** Begins. The intent is durable before anything moves: after a reset in between, nothing moves a second time. */
export function beginMoves(
  turn: Turn,
  request: Omit<CommandRequest, 'kind'> & Pick<Intent, 'isAccess'>,
  moves: Moves,
  senses: Senses,
): void {
  const { requestId, expiresMs, command, isAccess } = request;
  const before = moves.actuations.map((one) => stands(senses, one.set) ?? false);
  const intent = { requestId, expiresMs, commandCode: codeOf(command), before };
  turn.flash.intent = isAccess === true ? { ...intent, isAccess } : intent;
  turn.writes.push({ put: intentKey, bytes: intentPage(turn.flash.intent) });
  turn.effects.push({ kind: 'actuate', actuations: moves.actuations });
}

/** The actuators answered: the reply tells the state that they left. */
export function actuated(turn: Turn, accepted: boolean, senses: Senses): void {
  const { intent } = turn.flash;
  const moves = movesOf(intent);
  if (intent === undefined || moves === undefined) return;
  const { undoing } = turn.ram;
  if (undoing !== undefined) finishUndoing(turn, intent, undoing, senses);
  else if (accepted) conclude(turn, intent, undefined, senses);
  else {
    const stuck = moves.actuations.find((one) => stands(senses, one.set) !== one.to);
    const cause = WORDS[(stuck ?? moves.actuations[0])?.set ?? 'attention'].failed;
    const done = changed(intent, moves, senses);
    if (done.length > 0) undo(turn, cause, done);
    else
      conclude(turn, intent, moves.actuations.length > 1 ? `${cause}; nothing was changed` : cause, senses);
  }
  noticeOwnDoing(turn, senses);
}

/** The first look after a boot: what was begun before it is looked at, put back where it is half done, answered. */
export function resumeMoves(turn: Turn, senses: Senses): void {
  const { intent } = turn.flash;
  const moves = movesOf(intent);
  if (intent === undefined || moves === undefined) return;
  const seen = moves.actuations.filter((one) => one.set !== 'attention');
  const isDone = seen.length > 0 && seen.every((one) => stands(senses, one.set) === one.to);
  const done = changed(intent, moves, senses);
  if (isDone) conclude(turn, intent, undefined, senses);
  else if (done.length === 0) {
    conclude(turn, intent, seen.length > 0 ? `${INTERRUPTED}; nothing was changed` : INTERRUPTED, senses);
  }
  // Nothing moves after the expiry, and nothing while the box does not know the time.
  else if (isExpired(turn, intent.expiresMs))
    finishUndoing(turn, intent, { cause: INTERRUPTED, moves: done }, senses);
  else undo(turn, INTERRUPTED, done);
}

/** Whether an intent is answered at the first look after a boot rather than at the boot itself. */
export function isOfMoves(intent: Intent | undefined): boolean {
  return movesOf(intent) !== undefined;
}

function movesOf(intent: Intent | undefined): Moves | undefined {
  if (intent?.before === undefined) return undefined;
  const deed = deedOfCode(intent.commandCode);
  return deed?.do === 'actuate' && deed.actuations.length === intent.before.length ? deed : undefined;
}

/** The moves back of what stood otherwise before and stands as wanted now, the last first. */
function changed(intent: Intent, { actuations }: Moves, senses: Senses): readonly Actuation[] {
  return actuations
    .filter(({ set, to }, index) => intent.before?.[index] === !to && stands(senses, set) === to)
    .map(({ set, to }) => ({ set, to: !to }))
    .reverse();
}

function undo(turn: Turn, cause: string, moves: readonly Actuation[]): void {
  turn.ram.undoing = { cause, moves };
  turn.effects.push({ kind: 'actuate', actuations: moves });
}

function finishUndoing(turn: Turn, intent: Intent, { cause, moves }: Undoing, senses: Senses): void {
  turn.ram.undoing = undefined;
  const left = moves.find((one) => stands(senses, one.set) !== one.to);
  const one = left ?? moves[0];
  if (one === undefined) return;
  const { part, on, off } = WORDS[one.set];
  const result = left === undefined ? `${part} was put back` : `${part} stays ${left.to ? off : on}`;
  conclude(turn, intent, `${cause}; ${result}`, senses);
}

function conclude(turn: Turn, intent: Intent, error: string | undefined, senses: Senses): void {
  const { requestId, expiresMs } = intent;
  const signals = readSignals(turn, senses);
  if (intent.isAccess === true) concludeAccess(turn, intent, error, signals);
  else if (error === undefined) answer(turn, expiresMs, { requestId, outcome: 'done', signals });
  else answer(turn, expiresMs, { requestId, outcome: 'failed', error, signals });
}

/** How a part stands, by the inputs; lights and horn have none. */
function stands(senses: Senses, set: Actuation['set']): boolean | undefined {
  return set === 'attention' ? undefined : senses[set];
}
