import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import type { Input } from './input.ts';
import { forceReset, isPowered } from './power.ts';
import type { Turn } from './turn.ts';

/**
 * The application hangs: nothing is looked at, carried out or sent. The network's part goes on, so that the link stands
 * and what arrives is taken into a buffer. When the application goes on it works that off; if it does not, the watchdog
 * resets the box, and the buffer is lost.
 */
export interface Hang {
  readonly until: number;
  readonly watchdogAt: number;
  readonly held: readonly Heard[];
}

/** What a firmware with power hears. */
export type Heard = Exclude<
  Input,
  {
    readonly kind:
      | 'boot'
      | 'reset'
      | 'sim'
      | 'fault'
      | 'clock-jump'
      | 'room'
      | 'hang'
      | 'firmware'
      | 'update'
      | 'phone';
  }
>;

/** Begins, or ends another time: at `forMs` from now. The watchdog waits no longer for that. */
export function hang(turn: Turn, forMs: number): void {
  const { power, hang: before } = turn.ram;
  if (power !== 'up' && power !== 'booting') return;
  turn.ram.hang = {
    held: before?.held ?? [],
    watchdogAt: before?.watchdogAt ?? turn.at + limits.watchdogMs,
    until: turn.at + forMs,
  };
}

/** Takes an input of a box that hangs. What it answers is due now: what was held back, and this input the last. */
export function held(turn: Turn, stuck: Hang, input: Heard): readonly Heard[] {
  if (input.kind === 'closed' || input.kind === 'acknowledged') return [input];
  if (input.kind !== 'tick') {
    turn.ram.hang = holding(turn, stuck, input);
    return [];
  }
  if (!isAwake(turn, stuck, input.senses)) return [];
  turn.ram.hang = undefined;
  return [...stuck.held, input];
}

function isAwake(turn: Turn, stuck: Hang, senses: Senses): boolean {
  if (!isPowered(turn, senses)) return false;
  if (turn.at >= stuck.watchdogAt) {
    forceReset(turn, 'WATCHDOG');
    return false;
  }
  return turn.at >= stuck.until;
}

/** The buffer with one more, where there is room. */
function holding(turn: Turn, stuck: Hang, input: Heard): Hang {
  if (stuck.held.length < limits.heldInputs) return { ...stuck, held: [...stuck.held, input] };
  const { counts } = turn.ram;
  turn.ram.counts = { ...counts, strayFrames: counts.strayFrames + 1 };
  return stuck;
}
