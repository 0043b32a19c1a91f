import { useCallback, useEffect, useState } from 'preact/hooks';
import { askUntil } from './ask-until.ts';

/** What a path of the console answers: asked for when the component comes, and again until it is answered. */
export function useAsked<Answer>(path: string): {
  readonly answer: Answer | undefined;
  /** Why it is not there; empty: it is, or is on its way. */
  readonly trouble: string;
  /** Asks anew. */
  again(): void;
} {
  const [answer, setAnswer] = useState<Answer>();
  const [trouble, setTrouble] = useState('');
  const [round, setRound] = useState(0);
  useEffect(() => {
    void round;
    return askUntil<Answer>({
      path,
      take: (found) => {
        setAnswer(found);
        setTrouble('');
      },
      failed: ({ message }) => {
        setTrouble(message);
        return true;
      },
    });
  }, [path, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { answer, trouble, again };
}
