import { type AskFailed, ask } from './ask.ts';

export interface AskUntilParts<Answer> {
  readonly path: string;
  readonly body?: unknown;
  /** How long to wait before the first question, in milliseconds. Absent: not at all. */
  readonly afterMs?: number;
  take(answer: Answer): void;
  /** It was not answered; returns whether to retry. */
  failed(error: AskFailed): boolean;
}

const AGAIN_MS = 2_000;

/**
 * Asks the console until it answers: it may be unreachable for a moment. The returned function cancels the request; a
 * later answer is ignored.
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
