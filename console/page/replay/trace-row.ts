import type { Connectivity } from '../../stream/fleet-changes.ts';

/**
 * A row of a trace file (docs/running-scenarios.md, the trace), as far as the replay shows it. A test ensures that
 * every row of the schema is one of these.
 */
export type TraceRow =
  | {
      readonly kind: 'header';
      readonly format: string;
      readonly scenario: string;
      readonly seed: number;
      readonly document?: Readonly<Record<string, unknown>> | undefined;
    }
  | ({ readonly at_ms: number } & TimedRow);

type TimedRow =
  | { readonly kind: 'begin' }
  | {
      readonly kind: 'vehicle';
      readonly vehicle: number;
      readonly group: string;
      readonly model: string;
      readonly box_id?: string | undefined;
      readonly session: boolean;
    }
  | {
      readonly kind: 'event';
      readonly who: string;
      readonly what: string;
      readonly detail?: string | undefined;
    }
  | { readonly kind: 'connectivity'; readonly vehicle: number; readonly state: Connectivity }
  | { readonly kind: 'journal'; readonly vehicle: number; readonly held: number }
  | {
      readonly kind: 'place';
      readonly vehicle: number;
      readonly latitude: number;
      readonly longitude: number;
      readonly heading: number;
      readonly speed_kph: number;
    }
  | {
      readonly kind: 'fault';
      readonly name: string;
      readonly detail: string;
      readonly vehicles: readonly number[];
      readonly phase: 'begins' | 'ends' | 'happens';
    }
  | {
      readonly kind: 'act';
      readonly vehicle: number;
      readonly name: string;
      readonly refusal?: string | undefined;
    }
  | {
      readonly kind: 'call';
      readonly call: number;
      readonly vehicle?: number | undefined;
      readonly what: string;
      readonly as: string;
    }
  | {
      readonly kind: 'answer';
      readonly call: number;
      readonly vehicle?: number | undefined;
      readonly status: number;
      readonly detail?: string | undefined;
      readonly took_ms: number;
    }
  | {
      readonly kind: 'message';
      readonly vehicle?: number | undefined;
      readonly name: string;
      readonly queue: string;
    }
  | { readonly kind: 'service'; readonly state: 'up' | 'down'; readonly reason: string }
  | { readonly kind: 'step'; readonly step: number; readonly phase: 'begins' | 'ends' }
  | {
      readonly kind: 'expectation';
      readonly step: number;
      readonly expectation: number;
      readonly vehicle?: number | undefined;
      readonly is_met: boolean;
      readonly text: string;
    }
  | {
      readonly kind: 'finding';
      readonly checker: string;
      readonly vehicle?: number | undefined;
      readonly text: string;
    }
  | { readonly kind: 'end'; readonly verdict: string };

const FORMAT = 'boxtwin-trace/1';
const KINDS: ReadonlySet<string> = new Set([
  'header',
  'begin',
  'vehicle',
  'event',
  'connectivity',
  'journal',
  'place',
  'fault',
  'act',
  'call',
  'answer',
  'message',
  'service',
  'step',
  'expectation',
  'finding',
  'end',
]);

/** The row of a line, or its mistake. Undefined for an unknown kind, which is ignored. Total. */
export function readRow(text: string): TraceRow | string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'this is not JSON: the file was cut, or is no trace';
  }
  const row = value as { readonly kind?: unknown; readonly format?: unknown; readonly at_ms?: unknown };
  if (typeof value !== 'object' || value === null || typeof row.kind !== 'string')
    return 'this is not a row of a trace';
  if (!KINDS.has(row.kind)) return undefined;
  if (row.kind === 'header')
    return row.format === FORMAT
      ? (value as TraceRow)
      : `this trace has the format ${String(row.format)}, and this page reads ${FORMAT}`;
  return typeof row.at_ms === 'number' ? (value as TraceRow) : 'this row has no time';
}
