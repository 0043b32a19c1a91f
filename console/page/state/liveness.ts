import { signal } from '@preact/signals';
import type { ConsoleStatus } from '../../stream/health.ts';
import { type AskFailed, answerOf } from './ask.ts';
import { pollWhileVisible } from './poll-while-visible.ts';
import {
  type Liveness,
  type Look,
  livenessAfter,
  lookOfError,
  NEVER_HEARD,
  type Source,
  silenceOf,
} from './silence.ts';

const LOOK_MS = 2_000;
/** The timeout of the console's answer. */
const PATIENCE_MS = 5_000;

/** Which sources answer, and since when others have not. */
export const liveness = signal<Liveness>(NEVER_HEARD);

/** Whether data of that source is out of date, and its actions are disabled. */
export function isSilent(source: Source): boolean {
  return silenceOf(liveness.value, source) !== undefined;
}

/** Polls from now on, while the page is visible. */
export function watchLiveness(): void {
  pollWhileVisible(LOOK_MS, async () => {
    const look = await lookAtConsole();
    liveness.value = livenessAfter(liveness.value, performance.now(), look);
  });
}

async function lookAtConsole(): Promise<Look> {
  try {
    const answer = await answerOf('/console/status', undefined, AbortSignal.timeout(PATIENCE_MS));
    return (await answer.json()) as ConsoleStatus;
  } catch (error) {
    return lookOfError(Number((error as Partial<AskFailed>).status ?? 0));
  }
}
