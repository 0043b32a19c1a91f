import { clockMs, counterMs } from './firmware/rtc.ts';
import { size } from './firmware/shelf.ts';
import type { BoxState } from './firmware/state.ts';
import type { Watcher } from './fleet.ts';

/** What can be seen of a box at little cost: how far its session is, and how many records its journal holds. */
export interface Glance {
  readonly session: 'off' | 'offline' | 'connecting' | 'connected' | 'ready';
  readonly held: number;
}

const SESSIONS = {
  down: 'offline',
  connecting: 'connecting',
  subscribing: 'connecting',
  greeting: 'connected',
  ready: 'ready',
} as const satisfies Record<BoxState['ram']['session']['phase'], Glance['session']>;

export function glanceAt({ ram, flash }: BoxState): Glance {
  return {
    session: ram.power === 'up' ? SESSIONS[ram.session.phase] : 'off',
    held: size(flash.journal.shelf),
  };
}

/** How far the box believes the time to be from what it is, in milliseconds; undefined: it does not know the time. */
export function clockErrorMs({ ram, facts }: BoxState, atMs: number): number | undefined {
  if (ram.clock === undefined) return undefined;
  return clockMs(ram.clock, counterMs(facts, atMs)) - atMs;
}

/**
 * Tells that the outputs have moved at the request of the backend. What a phone asked for, and what is put back because
 * another part did not move, is nobody's command.
 */
export function tellActed({ flash: { intent }, ram }: BoxState, watcher: Watcher | undefined): void {
  if (intent === undefined || intent.isAccess === true || ram.undoing !== undefined) return;
  watcher?.acted(intent.requestId, intent.commandCode);
}
