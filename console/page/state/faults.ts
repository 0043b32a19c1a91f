import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EndedFault, FaultInForce, FaultWord } from '../../../simulator/control/fault-face.ts';
import { answerOf, ask } from './ask.ts';
import { lookWhileSeen } from './look-while-seen.ts';

const LOOK_MS = 2_000;

/** What there is. */
interface Faults {
  readonly words: readonly FaultWord[];
  readonly inForce: readonly FaultInForce[];
  /** The last one first. */
  readonly ended: readonly EndedFault[];
}

/** Undefined: not known yet. */
export const faults = signal<Faults | undefined>(undefined);
/** Why it is not known; empty: it is. */
export const faultsTrouble = signal('');

async function look(): Promise<void> {
  try {
    const told = await ask<{
      readonly words: readonly FaultWord[];
      readonly in_force: readonly FaultInForce[];
      readonly ended: readonly EndedFault[];
    }>('/console/faults');
    faults.value = { words: told.words, inForce: told.in_force, ended: told.ended };
    faultsTrouble.value = '';
  } catch (error) {
    faultsTrouble.value = error instanceof Error ? error.message : String(error);
  }
}

/** Looks for as long as the component is there and the page is seen. */
export function useFaults(): void {
  useEffect(() => lookWhileSeen(LOOK_MS, look), []);
}

/** Rejects with what is wrong with it. `on`: box ids; undefined: all, or a part that all share. */
export async function beginFault(
  on: readonly string[] | undefined,
  wish: Readonly<Record<string, unknown>>,
): Promise<void> {
  await answerOf('/console/faults', { ...(on === undefined ? {} : { on }), ...wish });
  await look();
}

/** What it met is told with those that have ended. */
export async function liftFault(id: string): Promise<void> {
  await answerOf(`/console/faults/${id}/lift`, {});
  await look();
}
