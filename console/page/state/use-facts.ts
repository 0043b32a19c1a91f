import { useEffect, useState } from 'preact/hooks';
import type { ConsoleFacts } from '../../stream/console-facts.ts';
import { ask } from './ask.ts';
import { isSilent } from './liveness.ts';

/**
 * The settings of the console; undefined until the console sends them. They are requested again once an unreachable
 * console answers.
 */
export function useFacts(): ConsoleFacts | undefined {
  const [facts, setFacts] = useState<ConsoleFacts>();
  const isAway = isSilent('console');
  useEffect(() => {
    if (!isAway) consoleFacts().then(setFacts, () => undefined);
  }, [isAway]);
  return facts;
}

let asked: Promise<ConsoleFacts> | undefined;

/** The settings of the console, loaded once. Rejects where the console does not answer; the next call asks again. */
function consoleFacts(): Promise<ConsoleFacts> {
  asked ??= ask<ConsoleFacts>('/console/facts').catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}
