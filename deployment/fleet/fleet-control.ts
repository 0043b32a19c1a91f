import type { RadioSetting } from '../../simulator/box-plan.ts';
import { controlApp } from '../../simulator/control/app.ts';
import { makersAlone } from '../../simulator/control/maker-routes.ts';
import type { ServiceControlPort } from '../../simulator/control/service.ts';
import type { Fleet } from '../../simulator/fleet/fleet.ts';
import type { ControlHosts } from '../../simulator/http/guard.ts';
import type { CarPlan } from '../../simulator/maker-cloud/car-plan.ts';
import { type MakerCloud, startMakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import { coverageOf } from '../../simulator/radio/coverage.ts';
import type { Route } from '../../simulator/routes/route.ts';
import { simProviders } from '../../simulator/sim-provider/providers.ts';
import type { Traffic } from '../../simulator/vehicle/driving/traffic.ts';
import { FleetWeather } from '../../simulator/weather/fleet-weather.ts';
import type { RealWorld } from '../../world/real-world.ts';
import { DEMO_MAKER } from '../demo/demo-fleet.ts';
import { type IdentitySecrets, simApiKeys } from '../directory/identity-secrets.ts';
import { type LiveFaultParts, liveFaults } from '../faults/live-fault-parts.ts';
import { type HttpServer, serveHttp } from '../http/http-server.ts';
import { misdirectedRefusal } from '../http/installation.ts';
import { listenAt } from '../http/port.ts';
import { hostsOf, makeSimulatorGuard, type SimulatorAccount } from '../http/simulator-guard.ts';
import type { Disposables } from '../shared/disposables.ts';
import { wireTap } from './frame-tap.ts';

/** What surrounds the boxes of a process. */
export interface FleetControlParts {
  readonly world: RealWorld;
  readonly fleet: Fleet;
  readonly secrets: IdentitySecrets;
  /** Without cars: there is no maker. */
  readonly cloud: MakerCloud;
  readonly routes: ReadonlyMap<string, Route>;
  readonly radio: RadioSetting | undefined;
  /** What weather and breaks can act on; absent: the control API has neither. */
  readonly faultParts?: Omit<LiveFaultParts, 'time' | 'sims' | 'cloud'> | undefined;
  /** Of the service in this process; absent: it runs in another one, or there is none. */
  readonly service?: ServiceControlPort | undefined;
  readonly boxOfVehicle?: (vehicleId: string) => Promise<string | undefined>;
  readonly account: SimulatorAccount | undefined;
  /** Id of the installation whose requests are answered. */
  readonly installation: string;
  readonly disposables: Disposables;
}

export interface FleetControl {
  /** The control API. */
  readonly app: ReturnType<typeof controlApp>;
  /** Calm at first. */
  readonly weather: FleetWeather;
}

/** What the maker's cloud of a fleet is started with. */
export interface FleetCloudParts {
  readonly world: RealWorld;
  readonly secrets: IdentitySecrets;
  /** Vehicles with their maker's telematics; empty: there is no maker. */
  readonly cars: readonly CarPlan[];
  readonly traffic?: Traffic | undefined;
  readonly disposables: Disposables;
}

/** Starts the maker's cloud of a fleet; `disposables` stop it. */
export async function startFleetCloud(parts: FleetCloudParts): Promise<MakerCloud> {
  const { world, secrets, cars, traffic, disposables } = parts;
  const cloud = await startMakerCloud(world, {
    name: DEMO_MAKER,
    apiKey: secrets.makerKey(DEMO_MAKER),
    cars,
    ...(traffic === undefined ? {} : { traffic }),
  });
  await disposables.add(() => cloud.stop());
  return cloud;
}

/** Starts SIM providers, weather and the control API of a fleet. */
export async function startFleetControl(parts: FleetControlParts): Promise<FleetControl> {
  const { world, fleet, secrets, cloud, routes, faultParts, account, disposables } = parts;
  const sims = simProviders({ time: world.time, fleet: () => fleet, apiKeys: simApiKeys(secrets) });
  const weather = new FleetWeather(world.time, world.random, fleet);
  await disposables.add(() => weather.stop());
  const hasMaker = cloud.cars.size > 0;
  const faults =
    faultParts === undefined
      ? undefined
      : liveFaults({
          ...faultParts,
          time: world.time,
          sims: () => sims,
          cloud: () => (hasMaker ? cloud : undefined),
        });
  if (faults !== undefined) await disposables.add(() => faults.stop());
  const app = controlApp(fleet, wireTap(world.trace, world.time), {
    sims,
    clouds: hasMaker ? [cloud] : [],
    ...(faults === undefined ? {} : { faults, weather }),
    ...(parts.service === undefined ? {} : { service: parts.service }),
    ...(parts.boxOfVehicle === undefined ? {} : { boxOfVehicle: parts.boxOfVehicle }),
    map: { routes, coverage: parts.radio === 'road' ? coverageOf(world.random) : undefined },
    hosts: hostsOf(account),
    installation: parts.installation,
  });
  return { app, weather };
}

/**
 * The control API: requests wait until it is open, and calls to the maker do not. The service calls its vehicles'
 * makers as soon as it runs, and the boxes of a large fleet may take longer to start than it waits for an answer.
 */
export function heldControl(cloud: MakerCloud, hosts: ControlHosts) {
  type Control = FleetControl['app'];
  const opened = Promise.withResolvers<Control>();
  const maker = makersAlone([cloud], hosts);
  let app: Control | undefined;
  return {
    open(control: Control): void {
      app = control;
      opened.resolve(control);
    },
    async fetch(request: Request): Promise<Response> {
      if (
        app === undefined &&
        cloud.cars.size > 0 &&
        new URL(request.url).pathname.startsWith(`/makers/${cloud.name}/`)
      )
        return maker.fetch(request);
      return (app ?? (await opened.promise)).fetch(request);
    },
  };
}

/**
 * Serves the control API to clients that have its account and address this installation. Rejects with a `CommandError`
 * where a port that the user gave is taken.
 */
export async function serveControl(
  {
    world,
    account,
    installation,
    disposables,
  }: Pick<FleetControlParts, 'account' | 'installation' | 'disposables'> & {
    readonly world: Pick<RealWorld, 'time'>;
  },
  place: { readonly port: number | undefined; readonly host: string | undefined; readonly notices: string[] },
  answer: (request: Request) => Response | Promise<Response>,
): Promise<HttpServer> {
  const guard = makeSimulatorGuard(account, world.time);
  const { host } = place;
  const server = await listenAt('simulator', place.port, place.notices, (port) =>
    serveHttp(
      { port, host },
      async (request, peer) =>
        misdirectedRefusal(request, installation) ?? (await guard(request, peer)) ?? answer(request),
    ),
  );
  await disposables.add(() => server.close());
  return server;
}
