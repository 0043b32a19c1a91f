import type { ReplyOutcome } from '../../../protocol/commands.ts';
import type { CommandRequest } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { resetBluetooth } from '../bluetooth/bluetooth.ts';
import type { StepContext } from '../core/step-context.ts';
import { systemStatus } from '../sampling/status.ts';
import { otherNetwork } from '../session/modem.ts';
import { beginActuation, blockingReason, isActuation } from './actuation.ts';
import { answerRequest, findAnswered, isExpired, repeatAnswer } from './answered-requests.ts';
import { COMMAND_ACTIONS, codeOf } from './command-actions.ts';
import type { PendingTask } from './command-state.ts';
import { supportsCommand } from './command-support.ts';
import { beginSetup } from './setup.ts';
import { readSignals, setWorkshop } from './workshop.ts';

/**
 * Handles a command. At most once: a request that was answered gets the same answer again, and one in
 * progress is ignored. Never late: past its expiry, or without knowing the time, nothing is done.
 */
export function handleCommand(context: StepContext, request: CommandRequest, sensors: SensorInputs): void {
  const { requestId, expiresMs } = request;
  const answered = findAnswered(context, requestId);
  if (answered !== undefined) {
    repeatAnswer(context, answered);
    return;
  }
  if (context.flash.intent?.requestId === requestId) return;
  const refusal = refusalOf(context, request, sensors);
  if (refusal !== undefined) {
    answerRequest(context, expiresMs, { requestId, ...refusal });
    return;
  }
  if (failsByFault(context, request)) return;
  carryOut(context, request, sensors);
}

/** Whether the box is busy with a task that must end first. */
export function isBusy(context: StepContext): boolean {
  const { pendingTask, goingOffline } = context.ram;
  return context.flash.intent !== undefined || pendingTask !== undefined || goingOffline !== undefined;
}

interface CommandRefusal {
  readonly outcome: ReplyOutcome;
  readonly error?: string;
}

function refusalOf(
  context: StepContext,
  request: CommandRequest,
  sensors: SensorInputs,
): CommandRefusal | undefined {
  const action = COMMAND_ACTIONS[request.command];
  if (isExpired(context, request.expiresMs)) return { outcome: 'expired' };
  if (!supportsCommand(context, request.command)) return { outcome: 'unsupported' };
  if (isBusy(context)) return { outcome: 'not-ready' };
  const obstacle = action.do === 'actuate' ? blockingReason(action, sensors) : undefined;
  return obstacle === undefined ? undefined : { outcome: 'conflicting-state', error: obstacle };
}

/** Fails a command because of a fault in the box, and reports the reason. */
export function failsByFault(
  context: StepContext,
  { requestId, expiresMs }: Pick<CommandRequest, 'requestId' | 'expiresMs'>,
): boolean {
  const { fault } = context.ram;
  if (fault === undefined) return false;
  const sequence = answerRequest(context, expiresMs, { requestId, outcome: 'failed', error: fault.text });
  const isOver = fault.isPassing && sequence !== undefined;
  context.ram.fault = isOver ? undefined : { ...fault, hadEffect: true };
  return true;
}

function carryOut(context: StepContext, request: CommandRequest, sensors: SensorInputs): void {
  const { requestId, expiresMs } = request;
  const action = COMMAND_ACTIONS[request.command];
  const done = { requestId, outcome: 'done' } as const;
  switch (action.do) {
    case 'report-status':
      answerRequest(context, expiresMs, { ...done, status: systemStatus(context, sensors) });
      return;
    case 'report-state':
      answerRequest(context, expiresMs, { ...done, signals: readSignals(context, sensors) });
      return;
    case 'reset-bluetooth':
      if (answerRequest(context, expiresMs, done) !== undefined) resetBluetooth(context);
      return;
    case 'set-workshop':
      if (answerRequest(context, expiresMs, done) !== undefined) setWorkshop(context, action.isOn, sensors);
      return;
    case 'pending-task':
      startPendingTask(context, request, action.what);
      return;
    case 'begin-setup':
      beginSetup(context, request, codeOf(request.command), sensors);
      return;
    case 'actuate':
      beginActuation(context, request, action, sensors);
      return;
    default:
      action satisfies never;
  }
}

function startPendingTask(context: StepContext, request: CommandRequest, what: PendingTask['what']): void {
  const { requestId, expiresMs } = request;
  if (
    what === 'switch-mobile-network' &&
    otherNetwork(context.ram.networks, context.flash.counters.network) === undefined
  ) {
    answerRequest(context, expiresMs, {
      requestId,
      outcome: 'failed',
      error: 'no other mobile network here',
    });
    return;
  }
  const sequence = answerRequest(context, expiresMs, { requestId, outcome: 'done' });
  if (sequence === undefined) return;
  context.ram.pendingTask = { what, sequence, token: undefined, until: context.at + limits.pendingTaskMs };
}

/**
 * After a boot: a command that had begun without an answer may or may not have been carried out, and is not
 * tried again. For an actuation the answer waits for the first look at the outputs.
 */
export function answerInterrupted(context: StepContext): void {
  const { intent } = context.flash;
  if (intent === undefined || isActuation(intent)) return;
  const { requestId, expiresMs } = intent;
  answerRequest(context, expiresMs, { requestId, outcome: 'failed', error: 'interrupted by a reset' });
}
