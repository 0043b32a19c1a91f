import type { BoxState } from '../firmware/core/state.ts';
import { entryCount } from '../firmware/journal/entry-index.ts';
import { clockMs, counterMs } from '../firmware/power/rtc.ts';
import type { BoxWatcher } from './fleet-box.ts';

/** A summary of a box that is cheap to compute: the phase of its session and the size of its journal. */
export interface BoxStatus {
  readonly session: 'off' | 'offline' | 'connecting' | 'connected' | 'ready';
  readonly heldRecords: number;
}

const SESSIONS = {
  down: 'offline',
  connecting: 'connecting',
  subscribing: 'connecting',
  greeting: 'connected',
  ready: 'ready',
} as const satisfies Record<BoxState['ram']['session']['phase'], BoxStatus['session']>;

export function boxStatusAt({ ram, flash }: BoxState): BoxStatus {
  return {
    session: ram.power === 'up' ? SESSIONS[ram.session.phase] : 'off',
    heldRecords: entryCount(flash.journal.entryIndex),
  };
}

/** Whether it takes commands: it has power, and its session is ready. */
export function isBoxReady({ ram }: Pick<BoxState, 'ram'>): boolean {
  return ram.power === 'up' && ram.session.phase === 'ready';
}

/** The error of the box's clock in milliseconds; undefined: the box does not know the time. */
export function clockErrorMs({ ram, facts }: BoxState, atMs: number): number | undefined {
  if (ram.clock === undefined) return undefined;
  return clockMs(ram.clock, counterMs(facts, atMs)) - atMs;
}

/**
 * Notifies the watcher that the outputs have moved for a command of the backend. A phone's request and a
 * rollback are not commands.
 */
export function notifyActed({ flash: { intent }, ram }: BoxState, watcher: BoxWatcher | undefined): void {
  if (intent === undefined || intent.isAccess === true || ram.rollback !== undefined) return;
  watcher?.acted(intent.requestId, intent.commandCode);
}
