import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EndedFault, FaultInForce, FaultWord } from '../../../simulator/control/fault-api.ts';
import { errorText } from '../../../world/error-text.ts';
import { answerOf, ask } from './ask.ts';
import { pollWhileVisible } from './poll-while-visible.ts';

const POLL_MS = 2_000;

/** The answer of the simulator. */
interface Faults {
  readonly words: readonly FaultWord[];
  readonly inForce: readonly FaultInForce[];
  /** The latest first. */
  readonly ended: readonly EndedFault[];
}

/** Undefined: not loaded yet. */
export const faults = signal<Faults | undefined>(undefined);
/** Why the faults cannot be loaded; empty: they can. */
export const faultsTrouble = signal('');

async function load(): Promise<void> {
  try {
    const loaded = await ask<{
      readonly words: readonly FaultWord[];
      readonly in_force: readonly FaultInForce[];
      readonly ended: readonly EndedFault[];
    }>('/console/faults');
    faults.value = { words: loaded.words, inForce: loaded.in_force, ended: loaded.ended };
    faultsTrouble.value = '';
  } catch (error) {
    faultsTrouble.value = errorText(error);
  }
}

/** Polls while the component is mounted and the page is visible. */
export function useFaults(): void {
  useEffect(() => pollWhileVisible(POLL_MS, load), []);
}

/** `on`: box ids; undefined: all boxes, or a part that all boxes share. Rejects with what is wrong with the fault. */
export async function applyFault(
  on: readonly string[] | undefined,
  wish: Readonly<Record<string, unknown>>,
): Promise<void> {
  await answerOf('/console/faults', { ...(on === undefined ? {} : { on }), ...wish });
  await load();
}

/** The list of ended faults then says whether the fault had an effect. */
export async function removeFault(id: string): Promise<void> {
  await answerOf(`/console/faults/${id}/remove`, {});
  await load();
}
