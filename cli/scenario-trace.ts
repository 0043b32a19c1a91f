import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, openSync, writeSync } from 'node:fs';
import { limits } from './limits.ts';

/** A file that a run writes its trace into. */
export interface TraceFile {
  readonly line: (line: string) => void;
  close(): void;
}

/** Opens it anew. It is written outside of the run's own context: a sandbox forbids files to whatever is in it. */
export function openTraceFile(path: string): TraceFile {
  const outside = AsyncLocalStorage.snapshot();
  const file = openSync(path, 'w');
  let block = '';
  const flush = (): void => {
    const bytes = Buffer.from(block);
    block = '';
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  };
  return {
    line(line) {
      block += `${line}\n`;
      if (block.length >= limits.traceBlockCharacters) outside(flush);
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}
