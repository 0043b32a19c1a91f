import { limits } from '../../limits.ts';
import type { StepContext } from '../core/step-context.ts';
import { saveCounters } from '../core/step-writes.ts';
import { goOffline, operateGoingOffline } from '../session/going-offline.ts';
import { otherNetwork, restartData, restartModem, restartSearch } from '../session/modem.ts';
import { dropConnection } from '../session/session.ts';
import { abandonUpdate, activateProgram, programOf } from '../update/update.ts';

/**
 * Operates the pending tasks. A task that closes the connection waits until its reply is sent (or for
 * `limits.pendingTaskMs`), and a reset of the board announces itself first
 * (simulator/firmware/session/going-offline.ts).
 */
export function operatePendingTasks(context: StepContext): void {
  const { pendingTask, goingOffline, outbox, session } = context.ram;
  const isOut = (token: number): boolean => !outbox.inFlight.some((one) => one.token === token);
  if (goingOffline !== undefined) {
    operateGoingOffline(context, goingOffline);
    return;
  }
  if (pendingTask === undefined) return;
  const isSent = pendingTask.token !== undefined && session.phase === 'ready' && isOut(pendingTask.token);
  if (!isSent && context.at < pendingTask.until) return;
  context.ram.pendingTask = undefined;
  switch (pendingTask.what) {
    case 'board-reset':
      goOffline(context, 'reset');
      return;
    case 'modem-reset':
      dropConnection(context);
      restartModem(context, limits.modemResetMs);
      return;
    case 'data-connection-reset':
      dropConnection(context);
      restartData(context);
      return;
    case 'switch-mobile-network': {
      // If the other network is no longer in range, the search ends at the same one.
      const network = otherNetwork(context.ram.networks, context.flash.counters.network);
      if (network !== undefined) saveCounters(context, { network: network.code });
      dropConnection(context);
      restartSearch(context);
      return;
    }
    default:
      pendingTask.what satisfies never;
  }
}

/**
 * Installs a program in a workshop: it replaces the one in the running bank, and the box reboots with it. It
 * survives resets and restarts, and ends an update in progress.
 */
export function takeFirmware(context: StepContext, version: readonly [major: number, minor: number]): void {
  abandonUpdate(context);
  activateProgram(context, { ...programOf(context), version });
  const { power, goingOffline } = context.ram;
  if (power === 'off' || power === 'dead' || goingOffline !== undefined) return;
  goOffline(context, 'flash');
}
