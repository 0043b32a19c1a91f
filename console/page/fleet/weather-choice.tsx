import { useEffect, useState } from 'preact/hooks';
import type { FleetWeatherState } from '../../stream/weather.ts';
import { ask } from '../state/ask.ts';
import { askUntil } from '../state/ask-until.ts';
import { stream } from '../state/fleet.ts';

/** What the networks do to the whole fleet. */
export function WeatherChoice() {
  const [state, setState] = useState<FleetWeatherState>();
  const [trouble, setTrouble] = useState('');
  const tell = (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error));
  const isLive = stream.value === 'open';
  // Whenever the fleet is there again: one that was started anew has other weather.
  useEffect(() => {
    if (!isLive) return undefined;
    return askUntil<FleetWeatherState>({
      path: '/console/weather',
      take: (found) => {
        setState(found);
        setTrouble('');
      },
      failed: (error) => {
        tell(error);
        return true;
      },
    });
  }, [isLive]);
  if (state === undefined) return trouble === '' ? null : <span class="trouble">{trouble}</span>;
  return (
    <label class="weather" title={state.presets.find(({ name }) => name === state.preset)?.does}>
      <span>Weather</span>{' '}
      <select
        value={state.preset}
        onChange={(event) => {
          ask<FleetWeatherState>('/console/weather', { preset: event.currentTarget.value }).then(
            setState,
            tell,
          );
        }}
      >
        {state.presets.map(({ name, does }) => (
          <option key={name} value={name} title={does}>
            {name}
          </option>
        ))}
      </select>{' '}
      <span class="trouble">{trouble}</span>
    </label>
  );
}
