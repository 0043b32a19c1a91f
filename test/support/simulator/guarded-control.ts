import type { SimProviderName } from '../../../simulator/box-plan.ts';
import { controlApp } from '../../../simulator/control/app.ts';
import type { FaultPort } from '../../../simulator/control/fault-api.ts';
import type { ServiceControlPort } from '../../../simulator/control/service.ts';
import type { ControlHosts } from '../../../simulator/http/guard.ts';
import { controlLimits } from '../../../simulator/limits.ts';
import { planCars } from '../../../simulator/maker-cloud/car-plan.ts';
import { startMakerCloud } from '../../../simulator/maker-cloud/cloud.ts';
import { Coverage } from '../../../simulator/radio/coverage.ts';
import { simProviders } from '../../../simulator/sim-provider/providers.ts';
import { FleetWeather } from '../../../simulator/weather/fleet-weather.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';
import type { ApiStage, RouteRow, RouteRows } from '../guards/route-rows.ts';
import { fakeFleet, fakeTap } from './fake-fleet.ts';

const ORIGIN = 'http://127.0.0.1:8090';
const { bodyBytes: mostBytes, faultBodyBytes } = controlLimits;
/** The second one is parked. */
const cars = planCars(seededRandom(4), 2).slice(1);

/** Of every route of the control API. The box is the first one of the fleet. */
export function controlRows(boxId: string): RouteRows {
  const box = `/boxes/${boxId}`;
  const [{ carId } = { carId: '' }] = cars;
  const read = (at: string, reaches?: RegExp): RouteRow =>
    reaches === undefined ? { at, status: 200 } : { at, status: 200, reaches };
  return {
    'GET /': read('/'),
    'GET /boxes': read('/boxes'),
    'GET /boxes/:id': read(box),
    'GET /boxes/:id/bluetooth-tokens': read(`${box}/bluetooth-tokens`),
    'GET /boxes/:id/journal': read(`${box}/journal`),
    'GET /boxes/:id/wire': read(`${box}/wire`),
    'GET /coverage': read('/coverage?west=13&south=52&east=14&north=53&columns=1&rows=1'),
    'GET /faults': read('/faults'),
    'GET /fleet': read('/fleet'),
    'GET /maker-vehicles': read('/maker-vehicles'),
    'GET /maker-vehicles/:id': read(`/maker-vehicles/${carId}`),
    'GET /makers': read('/makers'),
    'GET /routes': read('/routes'),
    'GET /service': read('/service'),
    'GET /sim-providers': read('/sim-providers'),
    'GET /weather': read('/weather'),
    'POST /boxes/:id/:action': {
      at: `${box}/cut-link`,
      status: 200,
      body: {},
      mostBytes,
      reaches: /cut-link/,
    },
    'POST /boxes/:id/bluetooth': {
      at: `${box}/bluetooth`,
      status: 200,
      body: { token: 'a-token', action: 'unlock' },
      mostBytes,
      reaches: /phone a-token unlock/,
    },
    'POST /boxes/:id/bluetooth-tokens': {
      at: `${box}/bluetooth-tokens`,
      status: 201,
      body: { valid_for_s: 60 },
      mostBytes,
      reaches: /token issued/,
    },
    'DELETE /boxes/:id/bluetooth-tokens/:token': {
      at: `${box}/bluetooth-tokens/1`,
      status: 204,
      reaches: /token withdrawn 1/,
    },
    'POST /faults': {
      at: '/faults',
      status: 201,
      body: { weather: { coverage: 'none' } },
      mostBytes: faultBodyBytes,
      reaches: /fault begun/,
    },
    'DELETE /faults/:id': { at: '/faults/1', status: 200, reaches: /fault lifted 1/ },
    'POST /maker-vehicles/:id/:action': {
      at: `/maker-vehicles/${carId}/sleep`,
      status: 200,
      body: { asleep: true },
      mostBytes,
      reaches: /"asleep":true/,
    },
    'PUT /makers/northwind/behaviour': {
      at: '/makers/northwind/behaviour',
      status: 200,
      body: { calls: { manner: 'nonsense' }, push: true },
      mostBytes,
      reaches: /nonsense/,
    },
    'POST /service/clients': {
      at: '/service/clients',
      status: 201,
      body: {},
      mostBytes,
      reaches: /client made/,
    },
    'PUT /service/clients/:id': {
      at: '/service/clients/c1',
      status: 204,
      body: { permissions: [] },
      mostBytes,
      reaches: /permissions of c1/,
    },
    'DELETE /service/clients/:id': { at: '/service/clients/c1', status: 204, reaches: /client c1 deleted/ },
    'PUT /service/store': {
      at: '/service/store',
      status: 200,
      body: { works: false },
      mostBytes,
      reaches: /store works: false/,
    },
    'PUT /service/token-lifetime': {
      at: '/service/token-lifetime',
      status: 200,
      body: { seconds: 5 },
      mostBytes,
      reaches: /tokens for 5/,
    },
    'PUT /sim-providers/:name/behaviour': {
      at: '/sim-providers/meridian/behaviour',
      status: 200,
      body: { mode: 'error' },
      mostBytes,
      reaches: /"meridian":"error"/,
    },
    'PUT /weather': { at: '/weather', status: 200, body: { preset: 'city' }, mostBytes, reaches: /city/ },
  };
}

/**
 * Of every route of the interfaces of SIM providers and makers below it, which are not its own: they refuse in their
 * own forms, and each has a key. `iccidOf`: a card of that provider.
 */
export function thirdPartyRows(iccidOf: (provider: SimProviderName) => string): RouteRows {
  const [{ carId } = { carId: '' }] = cars;
  const meridian = { headers: { authorization: 'ApiKey key' } };
  const tundra = { headers: { authorization: `Basic ${btoa('key:')}` } };
  const northwind = { headers: { 'x-api-key': 'key' } };
  const sim = `/sim-providers/meridian/v2/sims/${iccidOf('meridian')}`;
  const subscriber = `/sim-providers/tundra/subscribers/${iccidOf('tundra')}`;
  return {
    'GET /makers/northwind/cars/:id/state': {
      at: `/makers/northwind/cars/${carId}/state`,
      status: 200,
      ...northwind,
    },
    'POST /makers/northwind/cars/:id/actions': {
      at: `/makers/northwind/cars/${carId}/actions`,
      status: 200,
      body: { action: 'DOORS_RELEASE' },
      reaches: /"asleep":false.*"locked":false/,
      ...northwind,
    },
    'PUT /makers/northwind/subscription': {
      at: '/makers/northwind/subscription',
      status: 204,
      body: { url: 'http://127.0.0.1:8080/', secret: 'x'.repeat(16) },
      ...northwind,
    },
    'GET /sim-providers/meridian/v2/sims/:iccid': { at: sim, status: 200, ...meridian },
    'PATCH /sim-providers/meridian/v2/sims/:iccid': {
      at: sim,
      status: 200,
      body: { status: 'SUSPENDED' },
      reaches: /sim suspended/,
      ...meridian,
    },
    'POST /sim-providers/meridian/v2/sims/:iccid/detachments': {
      at: `${sim}/detachments`,
      status: 202,
      reaches: /sim detached/,
      ...meridian,
    },
    'POST /sim-providers/harbour/rpc': {
      at: '/sim-providers/harbour/rpc',
      status: 200,
      body: { operation: 'card.suspend', card: iccidOf('harbour') },
      reaches: /sim suspended/,
      headers: { 'x-harbour-key': 'key' },
    },
    'GET /sim-providers/tundra/subscribers/:iccid': { at: subscriber, status: 200, ...tundra },
    'DELETE /sim-providers/tundra/subscribers/:iccid/location': {
      at: `${subscriber}/location`,
      status: 204,
      reaches: /sim detached/,
      ...tundra,
    },
  };
}

/** A control API with all of its parts, and what requests have done to them. */
export async function guardedControl(hosts: ControlHosts = 'loopback') {
  const world = openVirtualWorld({ seed: 9 });
  const cloud = await world.run(() => startMakerCloud(world, { name: 'northwind', apiKey: 'key', cars }));
  const fleet = fakeFleet(9);
  const { first } = fleet;
  const { calls } = first;
  const tap = fakeTap();
  const apiKeys = { meridian: 'key', harbour: 'key', tundra: 'key' } as const;
  const sims = simProviders({ time: world.time, fleet: () => fleet, apiKeys });
  const weather = new FleetWeather(world.time, world.random, fleet);
  Object.assign(first, { bluetooth: bluetoothThatTells(calls) });
  const app = controlApp(fleet, tap, {
    sims,
    weather,
    hosts,
    clouds: [cloud],
    service: serviceThatTells(calls),
    faults: faultsThatTell(calls),
    map: { routes: new Map(), coverage: new Coverage(7) },
  });
  const guarded: ApiStage = {
    app,
    origin: ORIGIN,
    own: {},
    promised: {
      'x-content-type-options': /^nosniff$/,
      'x-frame-options': /^DENY$/,
      'cross-origin-resource-policy': /^same-origin$/,
      'cache-control': /^no-store$/,
    },
    effects: async () =>
      JSON.stringify([
        first.truth(),
        [...fleet.boxes.values()].map((box) => box.calls),
        weather.preset,
        sims.modes(),
        cloud.behaviour(),
        [...cloud.cars.values()].map((car) => ({ asleep: car.isAsleep, truth: car.truth() })),
      ]),
  };
  const iccidOf = (name: SimProviderName) => {
    const plan = fleet.plans.find(({ sim }) => sim.provider === name);
    if (plan === undefined) throw new Error(`No box has a card of ${name}.`);
    return plan.sim.iccid;
  };
  return { ...guarded, app, tap, boxId: first.plan.boxId, iccidOf };
}

function bluetoothThatTells(calls: string[]) {
  return {
    issueToken: () => {
      calls.push('token issued');
      return { id: 1, expiresMs: 0, text: 'a-token' };
    },
    tokens: () => [],
    withdrawToken: (id: string) => {
      calls.push(`token withdrawn ${id}`);
      return true;
    },
    usePhone: async (token: string, action: string) => {
      calls.push(`phone ${token} ${action}`);
      return { outcome: 'done', detail: '' };
    },
  };
}

function serviceThatTells(calls: string[]): ServiceControlPort {
  return {
    read: () => ({
      storeWorks: true,
      tokenLifetimeS: 60,
      fleetId: 'OWN01',
      partnerFleetId: 'PART1',
      strangerFleetId: 'STRA1',
      permissions: ['vehicles'],
    }),
    setStoreWorks: (works) => void calls.push(`store works: ${works}`),
    setTokenLifetimeS: (seconds) => void calls.push(`tokens for ${seconds}`),
    makeClient: async () => {
      calls.push('client made');
      return { clientId: 'c1', clientSecret: 's1', fleetId: 'OWN01' };
    },
    setPermissions: async (id) => calls.push(`permissions of ${id}`) > 0,
    deleteClient: async (id) => calls.push(`client ${id} deleted`) > 0,
  };
}

function faultsThatTell(calls: string[]): FaultPort {
  const fault = { fault: {}, boxes: [], sinceMs: 0, struck: 'yes', strikesWhen: 'always' } as const;
  return {
    words: async () => [],
    inForce: async () => [],
    ended: async () => [],
    begin: async () => {
      calls.push('fault begun');
      return { kind: 'in-force', fault: { id: '1', ...fault } };
    },
    lift: async (id) => {
      calls.push(`fault lifted ${id}`);
      return { id, endedMs: 0, ...fault };
    },
  };
}
