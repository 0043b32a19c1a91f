import { useEffect, useState } from 'preact/hooks';
import type { ConsoleFacts } from '../../stream/console-facts.ts';
import { consoleFacts } from './facts.ts';

/** What the console stands on; undefined until it is told. */
export function useFacts(): ConsoleFacts | undefined {
  const [facts, setFacts] = useState<ConsoleFacts>();
  useEffect(() => {
    consoleFacts().then(setFacts, () => undefined);
  }, []);
  return facts;
}
