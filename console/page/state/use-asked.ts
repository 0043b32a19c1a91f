import { useCallback, useEffect, useState } from 'preact/hooks';
import { askUntil } from './ask-until.ts';

/** The console's answer to a path: requested when the component is mounted, and again until it is answered. */
export function useAsked<Answer>(path: string): {
  readonly answer: Answer | undefined;
  /** Why it is missing; empty: it is present, or pending. */
  readonly trouble: string;
  /** Requests it again. */
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
