import { stepName } from '../../../scenarios/language/document/step-name.ts';
import type { TraceRow } from './trace-row.ts';

export type EntryKind =
  | 'frame'
  | 'message'
  | 'call'
  | 'act'
  | 'fault'
  | 'link'
  | 'step'
  | 'service'
  | 'failure';

/** One line of the log. */
export interface Entry {
  readonly atMs: number;
  readonly kind: EntryKind;
  /** Undefined: it is of no single vehicle. */
  readonly vehicle: number | undefined;
  readonly text: string;
  readonly isBad: boolean;
  /** Of a frame its payload as hexadecimal digits; it is decoded where it is shown. */
  readonly hex?: string;
  /** Of the step that begins here, from 0. */
  readonly begins?: number;
}

/** The longest payload that is shown, in hexadecimal digits. */
const FRAME_CHARACTERS = 4_000;

/** The line of a row; undefined: it is not shown. `vehicles`: by their names in `event` rows. */
export function entryOf(row: TraceRow, vehicles: ReadonlyMap<string, number>): Entry | undefined {
  if (row.kind === 'header') return undefined;
  const entry = (kind: EntryKind, vehicle: number | undefined, text: string, isBad = false): Entry => ({
    atMs: row.at_ms,
    kind,
    vehicle,
    text,
    isBad,
  });
  switch (row.kind) {
    case 'event': {
      if (row.what !== 'frame-up' && row.what !== 'frame-down') return undefined;
      const arrow = row.what === 'frame-up' ? '↑' : '↓';
      const hex = (row.detail ?? '').slice(0, FRAME_CHARACTERS);
      return { ...entry('frame', vehicles.get(row.who), arrow), hex };
    }
    case 'connectivity':
      return entry('link', row.vehicle, row.state, row.state === 'offline');
    case 'fault': {
      const [only] = row.vehicles;
      const vehicle = row.vehicles.length === 1 ? only : undefined;
      return entry('fault', vehicle, `${row.name} ${row.detail} ${row.phase}`, true);
    }
    case 'act':
      return row.refusal === undefined
        ? entry('act', row.vehicle, row.name)
        : entry('act', row.vehicle, `${row.name}: refused, ${row.refusal}`, true);
    case 'call':
      return entry('call', row.vehicle, `call ${row.call}: ${row.what} as ${row.as}`);
    case 'answer': {
      const detail = row.detail === undefined ? '' : `, ${row.detail}`;
      const text = `call ${row.call}: ${row.status} after ${row.took_ms} ms${detail}`;
      return entry('call', row.vehicle, text, row.status === 0 || row.status >= 400);
    }
    case 'message':
      return entry('message', row.vehicle, `${row.name} in ${row.queue}`);
    case 'service':
      return entry('service', undefined, `the service is ${row.state}: ${row.reason}`, row.state === 'down');
    case 'step':
      return {
        ...entry('step', undefined, `${stepName(row.step)} ${row.phase}`),
        ...(row.phase === 'begins' ? { begins: row.step } : {}),
      };
    case 'expectation':
      return entry(
        row.is_met ? 'step' : 'failure',
        row.vehicle,
        `${stepName(row.step)} expectation ${row.expectation + 1}: ${row.text}`,
        !row.is_met,
      );
    case 'finding':
      return entry('failure', row.vehicle, `${row.checker}: ${row.text}`, true);
    default:
      return undefined;
  }
}
