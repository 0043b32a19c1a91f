import { useEffect, useState } from 'preact/hooks';
import type { FleetWeatherState } from '../../stream/weather.ts';
import { ask } from '../state/ask.ts';

/** What the networks do to the whole fleet. */
export function WeatherChoice() {
  const [state, setState] = useState<FleetWeatherState>();
  const [trouble, setTrouble] = useState('');
  const tell = (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error));
  useEffect(() => {
    ask<FleetWeatherState>('/console/weather').then(setState, tell);
  }, []);
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
