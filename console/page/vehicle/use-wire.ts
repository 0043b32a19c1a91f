import { useEffect, useState } from 'preact/hooks';
import type { FrameStreamLine } from '../../../simulator/control/frame-line.ts';
import { answerOf } from '../state/ask.ts';

/** A frame as the control API reports it. */
export interface WireLine extends FrameStreamLine {
  /** By the page's clock. */
  readonly seenMs: number;
  /** Counts the lines that this page has seen. */
  readonly number: number;
}

const MOST_LINES = 200;
const AGAIN_MS = 1_000;

/** The received frames, the newest first, and why no more arrive; an empty text if they do. */
export interface WireState {
  readonly lines: readonly WireLine[];
  readonly state: string;
}

/** Listens to the frames of a box while its panel is mounted; a broken stream is reopened. */
export function useWire(boxId: string): WireState {
  const [lines, setLines] = useState<readonly WireLine[]>([]);
  const [state, setState] = useState('Connecting');
  useEffect(() => {
    const ending = new AbortController();
    let number = 0;
    const take = (text: string) => {
      number += 1;
      const line = { ...(JSON.parse(text) as FrameStreamLine), seenMs: performance.now(), number };
      setLines((before) => [line, ...before].slice(0, MOST_LINES));
    };
    const read = async () => {
      while (!ending.signal.aborted) {
        try {
          const answer = await answerOf(`/console/vehicles/${boxId}/wire`, undefined, ending.signal);
          setState('');
          for await (const text of linesOf(answer)) if (text !== '') take(text);
        } catch (error) {
          if (ending.signal.aborted) return;
          setState(error instanceof Error ? error.message : 'the stream broke');
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void read();
    return () => ending.abort();
  }, [boxId]);
  return { lines, state };
}

/** The lines of an answer as they arrive, without their ends. */
async function* linesOf(answer: Response): AsyncGenerator<string> {
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
