import type { FleetWeather } from '../../simulator/weather/fleet-weather.ts';
import {
  type FleetCloudParts,
  type FleetControl,
  type FleetControlParts,
  startFleetCloud,
  startFleetControl,
} from './fleet-control.ts';
import { type BoxesParts, openBoxes, type RunningBoxes } from './open-boxes.ts';

/** What a fleet is opened with whose service runs elsewhere. */
export type FleetParts = Omit<BoxesParts, 'until'> &
  Pick<FleetCloudParts, 'cars'> &
  Pick<FleetControlParts, 'secrets' | 'radio' | 'account' | 'installation'> & {
    readonly routes: FleetControlParts['routes'];
  };

/** The boxes of a process and what surrounds them, behind whose control API no service is. */
export interface OpenedFleet extends RunningBoxes {
  readonly app: FleetControl['app'];
  readonly weather: FleetWeather;
}

const ELSEWHERE = { trouble: 'The service is in another process.' };

/** Gives boxes power, and starts SIM providers, the maker's cloud, weather and the control API. */
export async function openFleet(parts: FleetParts): Promise<OpenedFleet> {
  const boxes = await openBoxes(parts);
  const running = await boxes.start();
  const { app, weather } = await startFleetControl({
    ...parts,
    fleet: running.fleet,
    cloud: await startFleetCloud(parts),
    faultParts: { ...boxes.faultParts, exchange: ELSEWHERE, store: ELSEWHERE },
  });
  return { ...running, app, weather };
}
