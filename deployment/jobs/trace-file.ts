import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import type { RunObserver } from '../../scenarios/run/options.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';
import type { Testbed } from '../../scenarios/testbed/port/testbed.ts';
import {
  beginRow,
  endRow,
  eventRow,
  factRow,
  headerRow,
  placeRow,
  vehicleRow,
} from '../../scenarios/trace/row-of.ts';
import type { TraceRow } from '../../scenarios/trace/rows.ts';
import { limits } from '../shared/limits.ts';

/** A file that a run writes its trace into while it runs, one row a line (scenarios/trace/rows.ts). */
export interface TraceFile {
  readonly observer: RunObserver;
  /** The last row. A file without it is of a run that was ended. */
  end(outcome: RunOutcome): void;
  close(): void;
}

/**
 * Opens an empty file with the header as its first row. It is written block by block, outside of the run's own context:
 * a sandbox forbids the run to access files. Throws where it cannot be written.
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
  let placesBefore = (_atMs: number): void => undefined;
  const writeAfterPlaces = (row: TraceRow): void => {
    if ('at_ms' in row) placesBefore(row.at_ms);
    write(row);
  };
  write(headerRow(scenario, world));
  return {
    observer: {
      onTraceLine: (line) => writeAfterPlaces(eventRow(line)),
      onFact: (fact) => writeAfterPlaces(factRow(fact)),
      onStart(testbed) {
        const atMs = Math.round(testbed.time.nowMs());
        write(beginRow(atMs));
        for (const vehicle of testbed.vehicles) write(vehicleRow(vehicle, testbed.snapshotOf(vehicle), atMs));
        placesBefore = placeWriter(testbed, write);
      },
    },
    end: (outcome) => write(endRow(outcome, rows)),
    close() {
      flush();
      closeSync(file);
    },
  };
}

/**
 * Writes the positions of vehicles before the events of a moment: all at intervals of some seconds, and one alone that
 * has moved.
 */
function placeWriter(
  testbed: Pick<Testbed, 'snapshotOf' | 'time' | 'vehicles'>,
  write: (row: TraceRow) => void,
): (atMs: number) => void {
  const told = new Map<number, string>();
  let nextMs = 0;
  return (atMs) => {
    if (atMs < nextMs) return;
    nextMs = atMs + limits.tracePlaceMs;
    const nowMs = Math.round(testbed.time.nowMs());
    for (const vehicle of testbed.vehicles) {
      const row = placeRow(vehicle, testbed.snapshotOf(vehicle), nowMs);
      const text = `${row.latitude} ${row.longitude} ${row.speed_kph}`;
      if (told.get(vehicle.number) === text) continue;
      told.set(vehicle.number, text);
      write(row);
    }
  };
}
