import type { GoingDown } from '../../../protocol/message.ts';
import { topics } from '../../../protocol/topics.ts';
import { limits } from '../../limits.ts';
import type { StepContext } from '../core/step-context.ts';
import { encodedFrame } from '../core/step-writes.ts';
import { reportCrash } from '../detect/crash.ts';
import { publish } from '../journal/outbox.ts';
import { resetBox } from '../power/power.ts';
import { dropConnection, handleConnectionLost } from './session.ts';
import { type GoingOffline, modemOff, type OfflineAction } from './session-state.ts';

interface OfflineReason {
  readonly announcedReason: GoingDown['reason'];
  readonly expectedS: number;
  readonly afterwards: OfflineAction;
}

/**
 * Why a box goes offline, its announcement, and its next action. A requested reset is USER, one that its program needs
 * is SOFTWARE.
 */
const OFFLINE_REASONS = {
  reset: {
    announcedReason: 'reset',
    expectedS: limits.resetExpectedS,
    afterwards: { do: 'reset', reason: 'USER', downMs: limits.resetDownMs },
  },
  flash: {
    announcedReason: 'update',
    expectedS: limits.updateExpectedS,
    afterwards: { do: 'reset', reason: 'SOFTWARE', downMs: limits.updateDownMs },
  },
  update: { announcedReason: 'update', expectedS: limits.updateExpectedS, afterwards: { do: 'install' } },
  sleep: { announcedReason: 'sleep', expectedS: limits.sleepExpectedS, afterwards: { do: 'sleep' } },
} as const satisfies Record<string, OfflineReason>;

/** Announces it if there is a session: a going-down notice, and `gone` retained in place of the birth. */
export function goOffline(context: StepContext, why: keyof typeof OFFLINE_REASONS): void {
  const { announcedReason, expectedS, afterwards } = OFFLINE_REASONS[why];
  if (context.ram.session.phase !== 'ready' || context.ram.hang !== undefined) {
    dropConnection(context);
    finishGoingOffline(context, afterwards);
    return;
  }
  const { boxId } = context.facts;
  const { connection } = context.flash.counters;
  const goodbye = encodedFrame(context, {
    kind: 'going-down',
    connection,
    reason: announcedReason,
    expectedS,
  });
  const notice = publish(context, topics.up(boxId), goodbye, false);
  const gone = publish(
    context,
    topics.presence(boxId),
    encodedFrame(context, { kind: 'gone', connection }),
    true,
  );
  context.ram.goingOffline = { tokens: [notice, gone], until: context.at + limits.goodbyeMs, afterwards };
}

/** Goes offline once the announcements are acknowledged, the link is cut, or after a timeout. */
export function operateGoingOffline(context: StepContext, { tokens, until, afterwards }: GoingOffline): void {
  const { outbox, session } = context.ram;
  const isCut = session.phase !== 'ready';
  const isOut = tokens.every((token) => !outbox.inFlight.some((one) => one.token === token));
  if (!isCut && context.at < until && !isOut) return;
  if (!isCut) context.effects.push({ kind: 'disconnect' });
  finishGoingOffline(context, afterwards);
}

function finishGoingOffline(context: StepContext, afterwards: OfflineAction): void {
  if (afterwards.do === 'reset') {
    resetBox(context, afterwards.reason, afterwards.downMs);
    return;
  }
  // The processor continues, without a link and without a modem, until its task is done.
  handleConnectionLost(context);
  context.ram.goingOffline = undefined;
  context.ram.pendingTask = undefined;
  context.ram.modem = modemOff;
  reportCrash(context);
  context.ram.power = afterwards.do === 'install' ? 'installing' : 'asleep';
  context.ram.powerLookAt =
    context.at + (afterwards.do === 'install' ? limits.installMs : limits.asleepLookMs);
}
