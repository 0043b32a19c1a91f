import type { Fact } from '../../judge/evidence/fact.ts';
import type { SimulatedVehicle, VehicleSnapshot } from '../../judge/evidence/simulated-vehicle.ts';
import type { Scenario } from '../language/document/scenario.ts';
import { toDocument } from '../language/document/to-document.ts';
import type { RunOutcome } from '../run/outcome.ts';
import type { RowOf, TraceRow } from './rows.ts';

/** The first row. */
export function headerRow(scenario: Scenario, world: 'virtual' | 'real'): RowOf<'header'> {
  const { name, seed } = scenario;
  const document = toDocument(scenario);
  return { kind: 'header', format: 'boxtwin-trace/1', scenario: name, seed, world, document };
}

export function beginRow(atMs: number): RowOf<'begin'> {
  return { kind: 'begin', at_ms: atMs, start: new Date(atMs).toISOString() };
}

/** A vehicle as it is when the scenario begins. */
export function vehicleRow(
  { number, group, model, boxId }: SimulatedVehicle,
  { belief, isConnected }: VehicleSnapshot,
  atMs: number,
): RowOf<'vehicle'> {
  const { firmware } = belief;
  return {
    kind: 'vehicle',
    at_ms: atMs,
    vehicle: number,
    group: group.as,
    model,
    fleet: group.fleet,
    ...(boxId === undefined ? {} : { box_id: boxId }),
    ...(typeof firmware === 'string' ? { firmware } : {}),
    session: isConnected,
    ...(group.isDriving === undefined ? {} : { driving: group.isDriving }),
  };
}

/** The true position of a vehicle, to about a metre (five decimals of a degree). */
export function placeRow(
  { number }: SimulatedVehicle,
  { truth }: Pick<VehicleSnapshot, 'truth'>,
  atMs: number,
): RowOf<'place'> {
  const rounded = (name: string, digits: number) => Number(Number(truth[name] ?? 0).toFixed(digits));
  return {
    kind: 'place',
    at_ms: atMs,
    vehicle: number,
    latitude: rounded('latitude', 5),
    longitude: rounded('longitude', 5),
    heading: rounded('headingDegrees', 0),
    speed_kph: rounded('speedKph', 1),
  };
}

/** A line of the world's trace: `<ms> <who> <what>[ <detail>]`. */
export function eventRow(line: string): RowOf<'event'> {
  const [, at = '0', who = '', what = '', , detail] = /^(\d+) (\S+) (\S*)( (.*))?$/s.exec(line) ?? [];
  return {
    kind: 'event',
    at_ms: Number(at),
    who,
    what,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** The trace line of an event's row. The hash is computed over these lines, each with a line break. */
export function eventLine({ at_ms: at, who, what, detail }: RowOf<'event'>): string {
  return `${at} ${who} ${what}${detail === undefined ? '' : ` ${detail}`}`;
}

/**
 * The line as the hash of a trace has it (world/trace/virtual-trace.ts); undefined: a line of a log, which it omits.
 */
export function hashedLine(row: RowOf<'event'>): string | undefined {
  if (row.who === 'loop') return `${row.at_ms} loop`;
  return row.what.startsWith('log-') ? undefined : eventLine(row);
}

export function factRow(fact: Fact): TraceRow {
  const { atMs, ...of } = fact;
  const at_ms = Math.round(atMs);
  switch (of.kind) {
    case 'answer': {
      const { tookMs, ...rest } = of;
      return { ...rest, at_ms, took_ms: tookMs };
    }
    case 'fault':
      return { ...of, at_ms, vehicles: [...of.vehicles] };
    case 'message': {
      const { vehicleId, messageId, ...rest } = of;
      return { ...rest, at_ms, vehicle_id: vehicleId, message_id: messageId };
    }
    case 'expectation': {
      const { isMet, ...rest } = of;
      return { ...rest, at_ms, is_met: isMet };
    }
    case 'finding': {
      const { checker, vehicle, text } = of.finding;
      return { kind: 'finding', at_ms, checker, ...(vehicle === undefined ? {} : { vehicle }), text };
    }
    default:
      return { ...of, at_ms };
  }
}

/** The last row: how the run ended, and the number of rows before it. */
export function endRow({ endMs, verdict, hash }: RunOutcome, rows: number): RowOf<'end'> {
  return {
    kind: 'end',
    at_ms: Math.round(endMs),
    verdict,
    rows,
    ...(hash === undefined ? {} : { hash }),
  };
}
