import type { Break } from '../../scenarios/language/steps/breaks.ts';
import type { Weather } from '../../scenarios/language/steps/weather.ts';
import type { Met } from '../../scenarios/testbed/common/faults/struck.ts';
import {
  BREAK_STRUCK,
  type StruckRow,
  WEATHER_STRUCK,
} from '../../scenarios/testbed/common/faults/struck-rows.ts';
import type { FaultStrikes } from '../../simulator/control/fault-face.ts';

/** When a word counts as having struck, by the table of the scenarios. */
export function struckRowOf(
  does:
    | { readonly kind: 'weather'; readonly weather: Weather }
    | { readonly kind: 'break'; readonly break: Break },
): StruckRow {
  if (does.kind === 'weather') return WEATHER_STRUCK[does.weather.name];
  const rows: Readonly<Record<string, StruckRow>> = BREAK_STRUCK[does.break.part];
  const row = rows[does.break.name];
  if (row === undefined) throw new Error(`No row says when ${does.break.name} has struck.`);
  return row;
}

/** What is told of what a fault has met. */
export function strikesOf({ when: strikesWhen }: StruckRow, met: Met): FaultStrikes {
  if (typeof met === 'object') return { struck: 'not known', strikesWhen, because: met.unknown };
  if (typeof met === 'number') return { struck: met > 0 ? 'yes' : 'no', times: met, strikesWhen };
  return { struck: met ? 'yes' : 'no', strikesWhen };
}
