import { BREAKS } from '../steps/breaks.ts';
import { CALLS } from '../steps/calls.ts';
import { VEHICLE_ACTS } from '../steps/vehicle-acts.ts';
import { WEATHER } from '../steps/weather.ts';
import type { Scenario, StepAction } from './scenario.ts';
import { stepName } from './step-name.ts';
import type { WordRow, WorldName } from './word-row.ts';

/** What a scenario does that this world cannot do, one sentence for each, with the reason. Empty: it can be run. */
export function unsupportedIn(world: WorldName, { steps, stepLines, backends }: Scenario): readonly string[] {
  const several =
    backends !== undefined && world === 'real'
      ? ['backends: several are not in the real world. Over sockets there is one backend.']
      : [];
  const unsupported = steps.flatMap(({ does, label }, index) => {
    if (does === undefined) return [];
    const { word, row } = rowOf(does);
    if (row === undefined || row.worlds[world]) return [];
    const place = stepName(index, { label, line: stepLines?.[index] });
    return [`${place}: ${word} is not in the ${world} world. ${row.worlds.because ?? ''}`.trimEnd()];
  });
  return [...several, ...unsupported];
}

function rowOf(does: StepAction): {
  readonly word: string;
  readonly row: WordRow | undefined;
} {
  switch (does.kind) {
    case 'vehicle':
      return { word: does.act.name, row: VEHICLE_ACTS[does.act.name] };
    case 'call':
      return { word: `call: ${does.call.name}`, row: CALLS[does.call.name] };
    case 'weather':
      return { word: `weather: ${does.weather.name}`, row: WEATHER[does.weather.name] };
    case 'break': {
      const { part, name } = does.break;
      const rows: Readonly<Record<string, WordRow>> = BREAKS[part];
      return { word: `break: ${part} ${name}`, row: rows[name] };
    }
    default:
      return does satisfies never;
  }
}
