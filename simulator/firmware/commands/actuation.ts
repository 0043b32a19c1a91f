import type { CommandRequest } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import type { Actuation, SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { recordAccess } from '../bluetooth/bluetooth-access.ts';
import type { FirmwareEffect } from '../core/effect.ts';
import { intentKey, intentPage } from '../core/pages.ts';
import type { StepContext } from '../core/step-context.ts';
import { latestMs } from '../power/rtc.ts';
import { rememberOwnActuation } from '../sampling/sampler.ts';
import { answerRequest, isExpired } from './answered-requests.ts';
import { COMMAND_ACTIONS, type CommandAction, codeOf, commandActionOfCode } from './command-actions.ts';
import type { ActuationHindrance, CommandIntent, Rollback } from './command-state.ts';
import { readSignals } from './workshop.ts';

/**
 * An actuation is atomic: if one part does not move, the parts that did are moved back to their former positions.
 * The intent in flash holds these, so that after a reset in between the box can read its inputs, roll back an
 * incomplete actuation while the command has not expired, and answer with the actual state.
 */
type ActuateAction = Extract<CommandAction, { readonly do: 'actuate' }>;

interface PartWords {
  readonly failed: string;
  readonly part: string;
  readonly on: string;
  readonly off: string;
}

/** Of each output. A cause, `; `, a part and its state are never longer than a reply's text. */
const PART_WORDS: Readonly<Record<Actuation['set'], PartWords>> = {
  locked: partWords('the central lock did not move', 'the central lock', 'locked', 'unlocked'),
  drivingEnabled: partWords('the immobilizer did not switch', 'driving', 'enabled', 'disabled'),
  topCaseLocked: partWords('the top case lock did not move', 'the top case', 'locked', 'unlocked'),
  compartmentLocked: partWords('the compartment did not open', 'the compartment', 'shut', 'open'),
  attention: partWords('lights and horn did not go', 'the horn', 'on', 'off'),
};
const INTERRUPTED = 'interrupted by a reset';
const GIVEN_UP = 'the phone had given up; nothing was changed';

function partWords(failed: string, part: string, on: string, off: string): PartWords {
  return { failed, part, on, off };
}

/** Why these parts must not be moved now; undefined: they may be. */
export function blockingReason(
  { actuations, requiresStandstill }: ActuateAction,
  sensors: SensorInputs,
): string | undefined {
  if (requiresStandstill && sensors.speedKph >= limits.movingSpeedKph) return 'the vehicle is moving';
  const locks = (set: Actuation['set']) => actuations.some((one) => one.set === set && one.to);
  if (locks('locked') && sensors.anyDoorOpen) return 'a door is open';
  if (locks('topCaseLocked') && sensors.topCaseOpen) return 'the top case is open';
  return undefined;
}

/** Begins. The intent is durable before anything moves: after a reset in between, nothing moves a second time. */
export function beginActuation(
  context: StepContext,
  request: Omit<CommandRequest, 'kind'> & Pick<CommandIntent, 'isAccess'> & { readonly leftMs?: number },
  moves: ActuateAction,
  sensors: SensorInputs,
): void {
  const { requestId, expiresMs, command, isAccess } = request;
  const before = moves.actuations.map((one) => positionOf(sensors, one.set) ?? false);
  const intent = { requestId, expiresMs, commandCode: codeOf(command), before };
  context.flash.intent = isAccess === true ? { ...intent, isAccess } : intent;
  context.writes.push({ put: intentKey, bytes: intentPage(context.flash.intent) });
  const latest = latestMs(context.ram.clock, context.counterMs);
  // A phone's access ends when the phone stops waiting, regardless of the clock.
  const leftMs = request.leftMs ?? (latest === undefined ? undefined : expiresMs - latest);
  const untilCounterMs = leftMs === undefined ? undefined : context.counterMs + leftMs;
  context.effects.push({ kind: 'actuate', actuations: moves.actuations, untilCounterMs, command });
}

/**
 * Whether the outputs may still be moved, now that the intent is durable; undefined: they may. The write may have taken
 * so long that the request has expired, or that the vehicle drives.
 */
export function actuationHindrance(
  {
    untilCounterMs = Number.POSITIVE_INFINITY,
    command,
  }: Extract<FirmwareEffect, { readonly kind: 'actuate' }>,
  counter: number,
  sensors: SensorInputs,
): ActuationHindrance | undefined {
  if (counter > untilCounterMs) return { outcome: 'expired' };
  const action = command === undefined ? undefined : COMMAND_ACTIONS[command];
  const error = action?.do === 'actuate' ? blockingReason(action, sensors) : undefined;
  return error === undefined ? undefined : { outcome: 'conflicting-state', error };
}

/** Answers a request for which nothing was moved. */
export function handleHindered(
  context: StepContext,
  hindrance: ActuationHindrance,
  sensors: SensorInputs,
): void {
  const { intent } = context.flash;
  if (intent === undefined) return;
  const { requestId, expiresMs } = intent;
  if (intent.isAccess === true)
    answerActuation(context, intent, 'error' in hindrance ? hindrance.error : GIVEN_UP, sensors);
  else answerRequest(context, expiresMs, { requestId, ...hindrance });
}

/** The actuators answered: the reply reports the resulting state. */
export function handleActuated(context: StepContext, accepted: boolean, sensors: SensorInputs): void {
  const { intent } = context.flash;
  const moves = actuationOf(intent);
  if (intent === undefined || moves === undefined) return;
  const { rollback } = context.ram;
  if (rollback !== undefined) finishRollback(context, intent, rollback, sensors);
  else if (accepted) answerActuation(context, intent, undefined, sensors);
  else {
    const stuck = moves.actuations.find((one) => positionOf(sensors, one.set) !== one.to);
    const cause = PART_WORDS[(stuck ?? moves.actuations[0])?.set ?? 'attention'].failed;
    const done = reversingMoves(intent, moves, sensors);
    if (done.length > 0) rollBack(context, cause, done);
    else
      answerActuation(
        context,
        intent,
        moves.actuations.length > 1 ? `${cause}; nothing was changed` : cause,
        sensors,
      );
  }
  rememberOwnActuation(context, sensors);
}

/** The first look after a boot: checks an actuation begun before it, rolls it back if incomplete, and answers. */
export function resumeActuation(context: StepContext, sensors: SensorInputs): void {
  const { intent } = context.flash;
  const moves = actuationOf(intent);
  if (intent === undefined || moves === undefined) return;
  const seen = moves.actuations.filter((one) => one.set !== 'attention');
  const isDone = seen.length > 0 && seen.every((one) => positionOf(sensors, one.set) === one.to);
  const done = reversingMoves(intent, moves, sensors);
  if (isDone) answerActuation(context, intent, undefined, sensors);
  else if (done.length === 0) {
    answerActuation(
      context,
      intent,
      seen.length > 0 ? `${INTERRUPTED}; nothing was changed` : INTERRUPTED,
      sensors,
    );
  }
  // Nothing moves after the expiry, and nothing while the box does not know the time.
  else if (isExpired(context, intent.expiresMs))
    finishRollback(context, intent, { cause: INTERRUPTED, moves: done }, sensors);
  else rollBack(context, INTERRUPTED, done);
}

/** Whether an intent is answered at the first look after a boot rather than at the boot itself. */
export function isActuation(intent: CommandIntent | undefined): boolean {
  return actuationOf(intent) !== undefined;
}

function actuationOf(intent: CommandIntent | undefined): ActuateAction | undefined {
  if (intent?.before === undefined) return undefined;
  const action = commandActionOfCode(intent.commandCode);
  return action?.do === 'actuate' && action.actuations.length === intent.before.length ? action : undefined;
}

/** The moves back of the parts that changed to the wanted position, the last first. */
function reversingMoves(
  intent: CommandIntent,
  { actuations }: ActuateAction,
  sensors: SensorInputs,
): readonly Actuation[] {
  return actuations
    .filter(({ set, to }, index) => intent.before?.[index] === !to && positionOf(sensors, set) === to)
    .map(({ set, to }) => ({ set, to: !to }))
    .reverse();
}

function rollBack(context: StepContext, cause: string, moves: readonly Actuation[]): void {
  context.ram.rollback = { cause, moves };
  context.effects.push({ kind: 'actuate', actuations: moves });
}

function finishRollback(
  context: StepContext,
  intent: CommandIntent,
  { cause, moves }: Rollback,
  sensors: SensorInputs,
): void {
  context.ram.rollback = undefined;
  const left = moves.find((one) => positionOf(sensors, one.set) !== one.to);
  const one = left ?? moves[0];
  if (one === undefined) return;
  const { part, on, off } = PART_WORDS[one.set];
  const result = left === undefined ? `${part} was put back` : `${part} stays ${left.to ? off : on}`;
  answerActuation(context, intent, `${cause}; ${result}`, sensors);
}

function answerActuation(
  context: StepContext,
  intent: CommandIntent,
  error: string | undefined,
  sensors: SensorInputs,
): void {
  const { requestId, expiresMs } = intent;
  const signals = readSignals(context, sensors);
  if (intent.isAccess === true) recordAccess(context, intent, error, signals);
  else if (error === undefined) answerRequest(context, expiresMs, { requestId, outcome: 'done', signals });
  else answerRequest(context, expiresMs, { requestId, outcome: 'failed', error, signals });
}

/** The position of a part, by the inputs; lights and horn have none. */
function positionOf(sensors: SensorInputs, set: Actuation['set']): boolean | undefined {
  return set === 'attention' ? undefined : sensors[set];
}
