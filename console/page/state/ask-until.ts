import { type AskFailed, ask } from './ask.ts';

export interface AskUntilParts<Answer> {
  readonly path: string;
  readonly body?: unknown;
  /** How long to wait before the first question, in milliseconds. Absent: not at all. */
  readonly afterMs?: number;
  take(answer: Answer): void;
  /** It was not answered; tells whether it is to be asked again. */
  failed(error: AskFailed): boolean;
}

const AGAIN_MS = 2_000;

/**
 * Asks the console until it is answered: it may be away for a moment. The returned function gives the question up; an answer
 * that comes later is not taken.
 */
export function askUntil<Answer>(parts: AskUntilParts<Answer>): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const question = (): void =>
    void ask<Answer>(parts.path, parts.body).then(
      (answer) => {
        if (!isOver) parts.take(answer);
      },
      (error: AskFailed) => {
        if (!isOver && parts.failed(error)) timer = setTimeout(question, AGAIN_MS);
      },
    );
  timer = setTimeout(question, parts.afterMs ?? 0);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
