import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Scenario } from '../scenarios/language/scenario.ts';
import type { Witness } from '../scenarios/run/options.ts';
import type { Outcome } from '../scenarios/run/outcome.ts';
import { beginRow, endRow, eventRow, factRow, headerRow, vehicleRow } from '../scenarios/trace/row-of.ts';
import type { TraceRow } from '../scenarios/trace/rows.ts';
import { limits } from './limits.ts';

/** A file that a run writes its trace into, one row a line (scenarios/trace/rows.ts), as it goes on. */
export interface TraceFile {
  readonly witness: Witness;
  /** The last row. A file without it is of a run that was ended. */
  end(outcome: Outcome): void;
  close(): void;
}

/**
 * Opens it anew; the header is its first row. It is written block by block, outside of the run's own context: a sandbox
 * forbids files to whatever is in it. Throws where it cannot be written.
 */
export function openTraceFile(path: string, scenario: Scenario, world: 'virtual' | 'real'): TraceFile {
  const outside = AsyncLocalStorage.snapshot();
  const file = openSync(path, 'w');
  let block = '';
  let rows = 0;
  const flush = (): void => {
    const bytes = Buffer.from(block);
    block = '';
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  };
  const write = (row: TraceRow): void => {
    block += `${JSON.stringify(row)}\n`;
    rows += 1;
    if (block.length >= limits.traceBlockCharacters) outside(flush);
  };
  write(headerRow(scenario, world));
  return {
    witness: {
      line: (line) => write(eventRow(line)),
      fact: (fact) => write(factRow(fact)),
      begins(theatre) {
        const atMs = Math.round(theatre.time.nowMs());
        write(beginRow(atMs));
        for (const player of theatre.players) write(vehicleRow(player, theatre.look(player), atMs));
      },
    },
    end: (outcome) => write(endRow(outcome, rows)),
    close() {
      flush();
      closeSync(file);
    },
  };
}
