import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import type { RunObserver } from '../../../scenarios/run/options.ts';
import type { RunOutcome } from '../../../scenarios/run/outcome.ts';
import {
  beginRow,
  endRow,
  eventRow,
  factRow,
  headerRow,
  vehicleRow,
} from '../../../scenarios/trace/row-of.ts';
import type { TraceRow } from '../../../scenarios/trace/rows.ts';
import { limits } from '../../limits.ts';

/** A file that a run writes its trace into, one row a line (scenarios/trace/rows.ts), as it goes on. */
export interface TraceFile {
  readonly observer: RunObserver;
  /** The last row. A file without it is of a run that was ended. */
  end(outcome: RunOutcome): void;
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
    observer: {
      onTraceLine: (line) => write(eventRow(line)),
      onFact: (fact) => write(factRow(fact)),
      onStart(testbed) {
        const atMs = Math.round(testbed.time.nowMs());
        write(beginRow(atMs));
        for (const vehicle of testbed.vehicles) write(vehicleRow(vehicle, testbed.snapshotOf(vehicle), atMs));
      },
    },
    end: (outcome) => write(endRow(outcome, rows)),
    close() {
      flush();
      closeSync(file);
    },
  };
}
