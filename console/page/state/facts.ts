import type { ConsoleFacts } from '../../stream/console-facts.ts';
import { ask } from './ask.ts';

let asked: Promise<ConsoleFacts> | undefined;

/** What the page needs to know at first, asked for once. Rejects with why it is not told; the next one asks again. */
export function consoleFacts(): Promise<ConsoleFacts> {
  asked ??= ask<ConsoleFacts>('/console/facts').catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}
