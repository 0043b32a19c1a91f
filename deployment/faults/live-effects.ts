import type { Break } from '../../scenarios/language/steps/breaks.ts';
import type { Weather } from '../../scenarios/language/steps/weather.ts';
import type { Effect } from '../../scenarios/testbed/common/faults/active-fault.ts';
import {
  BREAK_EFFECTS,
  type EffectRow,
  WEATHER_EFFECTS,
} from '../../scenarios/testbed/common/faults/effect-rows.ts';
import type { FaultEffect } from '../../simulator/control/fault-api.ts';

/** When a word counts as having had an effect, by the table of the scenarios. */
export function effectRowOf(
  does:
    | { readonly kind: 'weather'; readonly weather: Weather }
    | { readonly kind: 'break'; readonly break: Break },
): EffectRow {
  const isWeather = does.kind === 'weather';
  const rows: Readonly<Record<string, EffectRow>> = isWeather
    ? WEATHER_EFFECTS
    : BREAK_EFFECTS[does.break.part];
  const { name } = isWeather ? does.weather : does.break;
  const row = rows[name];
  if (row === undefined) throw new Error(`No row defines when ${name} has an effect.`);
  return row;
}

/** The summary of a fault's effects. */
export function effectOf({ when: strikesWhen }: EffectRow, effect: Effect): FaultEffect {
  if (typeof effect === 'object') return { struck: 'not known', strikesWhen, because: effect.unknown };
  if (typeof effect === 'number') return { struck: effect > 0 ? 'yes' : 'no', times: effect, strikesWhen };
  return { struck: effect ? 'yes' : 'no', strikesWhen };
}
