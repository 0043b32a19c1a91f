import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import type { FleetWeatherState } from '../../stream/actions.ts';
import { ask } from '../state/ask.ts';
import { askUntil } from '../state/ask-until.ts';
import { stream } from '../state/fleet.ts';
import { isSilent } from '../state/liveness.ts';

/** The network conditions of the whole fleet. */
export function WeatherChoice() {
  const [state, setState] = useState<FleetWeatherState>();
  const [trouble, setTrouble] = useState('');
  const tell = (error: unknown) => setTrouble(errorText(error));
  const isLive = stream.value === 'open';
  // Whenever the fleet is reachable again: after a restart it may have other weather.
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
        disabled={isSilent('simulator')}
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
