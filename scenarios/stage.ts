import { registerClient } from '../backend/access/clients.ts';
import { PERMISSIONS } from '../backend/access/permissions.ts';
import { queueName, TOPICS } from '../backend/events/topics.ts';
import { type Service, startService } from '../backend/service.ts';
import { openSqliteStore, type SqliteStore } from '../backend/store/sqlite.ts';
import { type BoxPlan, type Fleet, startFleet } from '../simulator/fleet.ts';
import { type MakerCloud, startMakerCloud } from '../simulator/maker-cloud/cloud.ts';
import { type CarPlan, planCars } from '../simulator/maker-cloud/plan.ts';
import { planFleet } from '../simulator/plan.ts';
import type { RadioSetting } from '../simulator/radio/setting.ts';
import { SIM_PROVIDER_NAMES } from '../simulator/sim-provider/names.ts';
import { type SimProviders, simProviders } from '../simulator/sim-provider/providers.ts';
import type { Road } from '../simulator/vehicle/road.ts';
import { seededRandom } from '../world/seeded-random.ts';
import type { Trace } from '../world/trace.ts';
import { type Incarnation, openVirtualWorld, type VirtualWorld } from '../world/virtual-world.ts';
import { brokerRule } from './broker-rule.ts';
import { orderDemoFeatures } from './demo-configuration.ts';
import { httpHandler } from './http-handler.ts';
import { WireLedger } from './wire-ledger.ts';

export interface StageSettings {
  readonly seed: number;
  readonly vehicles: number;
  /** The boxes are in the fleet's stock, in no vehicle yet. */
  readonly isOnShelf?: boolean;
  /** The boxes are as they left the factory; absent: they have the features of the demonstration. */
  readonly isUnconfigured?: boolean;
  /** The maintenance set is booked for every vehicle with a box; absent: for none. */
  readonly isMaintained?: boolean;
  /** Of the boxes; absent: ideal. */
  readonly radio?: RadioSetting;
  /** Vehicles behind a maker's cloud, beside those with boxes; absent: none, and no cloud. */
  readonly makerVehicles?: number;
  /** Everybody is parked at first, and keeps the distance on this road; absent: as the seed has it, without one. */
  readonly road?: Road;
  /** Handed each line of the trace, to compare two runs with. */
  readonly sink?: (line: string) => void;
}

const FLEET_ID = 'STAGE';
const BACKEND = { username: 'backend', password: 'backend of the stage' } as const;
const DISCRIMINATOR = 'stage';
const QUEUE = queueName('VehicleState_v1', DISCRIMINATOR);
const BASE_URL = 'http://service.virtual';
const SIMS_URL = 'http://sim-providers.virtual';
const SIM_KEYS = { meridian: 'key-meridian', harbour: 'key-harbour', tundra: 'key-tundra' } as const;
const MAKER = { name: 'northwind', url: 'http://northwind.virtual', apiKey: 'key-northwind' } as const;
const CLIENT = { id: 'stage', secret: 'secret-of-the-stage' } as const;

/** Fleet and service in one virtual world. Everything that is done to them goes through it, and into its trace. */
export class Stage {
  readonly world: VirtualWorld;
  readonly plans: readonly BoxPlan[];
  readonly fleetId = FLEET_ID;
  readonly queue = QUEUE;
  /** What crossed the wire and was receipted, kept from the simulator's trace. */
  readonly wire = new WireLedger();
  /** The cars of the maker, by their order in the demonstration. */
  readonly carPlans: readonly CarPlan[];
  readonly #road: Road | undefined;
  readonly #isOnShelf: boolean;
  readonly #isUnconfigured: boolean;
  readonly #isMaintained: boolean;
  /** The SIM providers, whose interfaces can be made to fail. */
  readonly sims: SimProviders;
  readonly #simulator: Incarnation;
  readonly #restartsMs: number[] = [];
  #backend: Incarnation;
  #store: SqliteStore;
  #service: Service | undefined;
  #fleet: Fleet | undefined;
  #cloud: MakerCloud | undefined;

  constructor(settings: StageSettings) {
    const { radio = 'ideal' } = settings;
    this.#road = settings.road;
    const parked = settings.road === undefined ? {} : { driving: false };
    const random = seededRandom(settings.seed);
    this.plans = planFleet(random, settings.vehicles).map((plan) => ({ ...plan, ...parked, radio }));
    this.carPlans = planCars(random, settings.makerVehicles ?? 0).map((plan) => ({ ...plan, ...parked }));
    this.#isOnShelf = settings.isOnShelf === true;
    this.#isUnconfigured = settings.isUnconfigured === true;
    this.#isMaintained = settings.isMaintained === true;
    const secrets = new Map(this.plans.map((plan) => [plan.boxId, plan.secret]));
    const { sink } = settings;
    this.world = openVirtualWorld({
      seed: settings.seed,
      rule: brokerRule(BACKEND, (boxId) => secrets.get(boxId)),
      trace: sink === undefined ? {} : { sink },
    });
    this.#simulator = this.world.incarnation('simulator');
    const { time } = this.#simulator;
    this.sims = simProviders({ time, fleet: () => this.#fleet, apiKeys: SIM_KEYS });
    this.world.origins.serve(
      SIMS_URL,
      httpHandler((request) => this.sims.app.fetch(request)),
    );
    this.world.origins.serve(
      BASE_URL,
      // Without a service the connection ends without an answer, as a proxy's does.
      httpHandler((request) => this.#running().fetch(request)),
    );
    this.world.origins.serve(
      MAKER.url,
      httpHandler((request) => this.cloud.app.fetch(request)),
    );
    this.#backend = this.world.incarnation('backend');
    this.#store = openSqliteStore(':memory:');
  }

  /** The queue of that topic, as the service has declared it. */
  queueOf(topic: (typeof TOPICS)[number]['topic']): string {
    return queueName(topic, DISCRIMINATOR);
  }

  /** When the service was started again, milliseconds since 1970, ascending. */
  get restartsMs(): readonly number[] {
    return this.#restartsMs;
  }

  get store(): SqliteStore {
    return this.#store;
  }

  get fleet(): Fleet {
    if (this.#fleet === undefined) throw new Error('The stage has not been raised.');
    return this.#fleet;
  }

  /** The maker's cloud, which can be made to fail. */
  get cloud(): MakerCloud {
    if (this.#cloud === undefined) throw new Error('The stage has no maker, or has not been raised.');
    return this.#cloud;
  }

  /** Onboards the fleet, starts the service, then the boxes, and configures what is in a vehicle. */
  async raise(): Promise<void> {
    await this.#onboard();
    if (this.carPlans.length > 0) {
      const { name, apiKey } = MAKER;
      this.#cloud = await startMakerCloud(this.#simulator, {
        ...{ name, apiKey, cars: this.carPlans },
        ...(this.#road === undefined ? {} : { road: this.#road }),
      });
    }
    await this.#startService();
    const { trace } = this.#simulator;
    const note: Trace['note'] = (event) => {
      trace.note(event);
      this.wire.take(event);
    };
    this.#fleet = await startFleet(
      { ...this.#simulator, trace: { note } },
      this.plans,
      undefined,
      this.#road,
    );
    if (this.#isOnShelf || this.#isUnconfigured || this.plans.length === 0) return;
    const token = await this.token();
    await orderDemoFeatures({
      time: this.world.time,
      boxes: [...this.#fleet.boxes.values()],
      call: (method, path, body) => this.call(method, path, token, body),
      waitMs: 30_000,
    });
  }

  /** Puts a vehicle record around a box of the stock, as POST /vehicles does. */
  async onboard(plan: BoxPlan): Promise<string> {
    const created = await this.#store.vehicles.create({
      id: plan.vehicleId,
      fleetId: FLEET_ID,
      telematics: { boxId: plan.boxId },
      model: plan.model,
      setupStatus: 'PENDING',
      masterData: { vin: plan.vin, license_plate: plan.licensePlate },
      customFields: {},
      tags: [],
      atMs: this.world.time.nowMs(),
    });
    this.#service?.onboarded(plan.boxId);
    return created;
  }

  /** Answers one HTTP request with a token of the fleet's client where `bearer` is given. */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    bearer?: string,
    body?: string,
  ): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    };
    return this.fetch(
      new Request(`${BASE_URL}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
    );
  }

  /** Answers one request to the service as it stands. */
  async fetch(request: Request): Promise<Response> {
    return this.#running().fetch(request);
  }

  /** Counts of the incarnation of the service that runs. */
  counters(): Readonly<Record<string, number>> {
    return this.#service?.counters() ?? {};
  }

  /** A token of the fleet's client, which has every permission. */
  async token(): Promise<string> {
    const response = await this.#running().fetch(
      new Request(`${BASE_URL}/auth/oauth/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
      }),
    );
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null || !('access_token' in body))
      throw new Error('No token came.');
    return String(body.access_token);
  }

  /** As kill -9: what the service had in mind is gone, what it had committed stays. */
  crashService(): void {
    const bytes = this.#store.serialize();
    this.#backend.sever();
    this.#service?.sever();
    this.#service = undefined;
    this.#store = openSqliteStore(bytes);
  }

  /** A new incarnation of the service on what the last one left. */
  async restartService(): Promise<void> {
    this.#restartsMs.push(this.world.time.nowMs());
    this.#backend = this.world.incarnation('backend');
    await this.#startService();
  }

  async close(): Promise<void> {
    await this.#fleet?.stop();
    await this.#service?.stop();
    await this.#cloud?.stop();
    await this.#store.close();
  }

  #running(): Service {
    if (this.#service === undefined) throw new Error('The service is down.');
    return this.#service;
  }

  async #startService(): Promise<void> {
    this.#service = startService(this.#backend, this.#store, {
      baseUrl: BASE_URL,
      mqtt: { clientId: 'backend-stage', ...BACKEND },
      answerTimeoutMs: 20_000,
      simProviders: Object.fromEntries(
        SIM_PROVIDER_NAMES.map((name) => [name, { baseUrl: `${SIMS_URL}/${name}`, apiKey: SIM_KEYS[name] }]),
      ),
      makers: this.#cloud === undefined ? {} : { [MAKER.name]: { baseUrl: MAKER.url, apiKey: MAKER.apiKey } },
      queues: TOPICS.map(({ topic, message }) => ({
        name: queueName(topic, DISCRIMINATOR),
        fleetId: FLEET_ID,
        messages: message,
      })),
    });
    await this.#service.started;
  }

  async #onboard(): Promise<void> {
    const { access, vehicles } = this.#store;
    await access.saveFleet({ id: FLEET_ID, name: 'Stage' });
    await registerClient(access, this.#backend, {
      fleetId: FLEET_ID,
      permissions: PERMISSIONS.map((row) => row.name),
      ...CLIENT,
    });
    for (const car of this.carPlans) {
      await vehicles.create({
        id: car.vehicleId,
        fleetId: FLEET_ID,
        telematics: { maker: { name: MAKER.name, vehicleId: car.carId } },
        model: car.model,
        setupStatus: 'SUCCEEDED',
        masterData: { vin: car.vin, license_plate: car.licensePlate },
        customFields: {},
        tags: [],
        atMs: this.#backend.time.nowMs(),
      });
    }
    for (const plan of this.plans) {
      if (this.#isOnShelf) {
        const boxSecretHash = this.#backend.seal.digest(plan.secret);
        const { boxId, generation, sim } = plan;
        await vehicles.saveUnit({ boxId, fleetId: FLEET_ID, boxSecretHash, generation, sim });
        continue;
      }
      await vehicles.save({
        id: plan.vehicleId,
        fleetId: FLEET_ID,
        boxId: plan.boxId,
        sim: plan.sim,
        boxSecretHash: this.#backend.seal.digest(plan.secret),
        generation: plan.generation,
        model: plan.model,
        setupStatus: 'SUCCEEDED',
        masterData: { vin: plan.vin, license_plate: plan.licensePlate },
        tags: [],
        maintenance: this.#isMaintained,
        atMs: this.#backend.time.nowMs(),
      });
    }
  }
}
