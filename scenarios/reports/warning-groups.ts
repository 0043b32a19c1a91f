import type { VehicleNumber } from '../../judge/evidence/fact.ts';
import { reportLimits } from '../limits.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { shortened } from '../run/time-text.ts';
import { stepText } from './step-text.ts';

/** The missing effect of a step, once for all vehicles and rounds with the same text. */
export interface WarningGroup {
  /** The step from 0, and its name by `stepText`. */
  readonly step: number;
  readonly name: string;
  /** Its first time, in milliseconds since 1970. */
  readonly atMs: number;
  /** With the vehicles: `vehicles 1, 2: it never began`. */
  readonly text: string;
}

/** The warnings of a run with equal ones merged, in order, and a sentence about the omitted ones. */
export interface WarningSummary {
  readonly groups: readonly WarningGroup[];
  /** Undefined: there are none. */
  readonly rest?: string;
}

/** All missing effects of a run's steps, of one step if one is named: at most `limits.warnings` groups. */
export function summarizeWarnings(
  { scenario, warnings, warningsDropped }: RunOutcome,
  ofStep?: number,
): WarningSummary {
  const own = warnings.filter(({ step }) => ofStep === undefined || step === ofStep);
  const together = [...Map.groupBy(own, ({ step, text }) => `${step} ${text}`).values()];
  const groups = together.slice(0, reportLimits.warnings).flatMap((alike): readonly WarningGroup[] => {
    const [first] = alike;
    if (first === undefined) return [];
    const vehicles = [...new Set(alike.flatMap(({ vehicle }) => (vehicle === undefined ? [] : [vehicle])))];
    const times = alike.length > Math.max(1, vehicles.length) ? ` (${alike.length} times)` : '';
    const text = `${vehiclesText(vehicles)}${shortened(first.text, reportLimits.characters)}${times}`;
    const name = stepText(scenario, first.step);
    return [{ step: first.step, name, atMs: first.atMs, text }];
  });
  const rest = [
    ...(together.length > groups.length
      ? [`and ${together.length - groups.length} more: the JSON report (--json) has each of them`]
      : []),
    ...(warningsDropped > 0
      ? [`${warningsDropped} later warnings of the run were not kept: let fewer vehicles or rounds do it`]
      : []),
  ].join('; ');
  return { groups, ...(rest === '' ? {} : { rest }) };
}

function vehiclesText(vehicles: readonly VehicleNumber[]): string {
  if (vehicles.length === 0) return '';
  if (vehicles.length === 1) return `vehicle ${vehicles[0]}: `;
  const named = vehicles.slice(0, reportLimits.namedVehicles).join(', ');
  const more = vehicles.length - reportLimits.namedVehicles;
  return `vehicles ${named}${more > 0 ? ` and ${more} more` : ''}: `;
}
