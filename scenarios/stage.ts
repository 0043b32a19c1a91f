import { registerClient } from '../backend/access/clients.ts';
import { PERMISSIONS } from '../backend/access/permissions.ts';
import { type Service, startService } from '../backend/service.ts';
import { openSqliteStore, type SqliteStore } from '../backend/store/sqlite.ts';
import { DEMO_SETTINGS } from '../simulator/demo-settings.ts';
import { type BoxPlan, type Fleet, startFleet } from '../simulator/fleet.ts';
import { planFleet } from '../simulator/plan.ts';
import { seededRandom } from '../world/seeded-random.ts';
import { type Incarnation, openVirtualWorld, type VirtualWorld } from '../world/virtual-world.ts';
import { brokerRule } from './broker-rule.ts';
import { WireLedger } from './wire-ledger.ts';

export interface StageSettings {
  readonly seed: number;
  readonly vehicles: number;
  /** Handed each line of the trace, to compare two runs with. */
  readonly sink?: (line: string) => void;
}

const FLEET_ID = 'STAGE';
const BACKEND = { username: 'backend', password: 'backend of the stage' } as const;
const QUEUE = 'VehicleState_v1-stage';
const BASE_URL = 'http://service.virtual';
const CLIENT = { id: 'stage', secret: 'secret-of-the-stage' } as const;

/** Fleet and service in one virtual world. Everything that is done to them goes through it, and into its trace. */
export class Stage {
  readonly world: VirtualWorld;
  readonly plans: readonly BoxPlan[];
  readonly fleetId = FLEET_ID;
  readonly queue = QUEUE;
  /** What crossed the wire and was receipted, read off the trace. */
  readonly wire = new WireLedger();
  readonly #simulator: Incarnation;
  #backend: Incarnation;
  #store: SqliteStore;
  #service: Service | undefined;
  #fleet: Fleet | undefined;

  constructor(settings: StageSettings) {
    this.plans = planFleet(seededRandom(settings.seed), settings.vehicles).map((plan) => ({
      ...plan,
      factorySettings: DEMO_SETTINGS,
    }));
    const secrets = new Map(this.plans.map((plan) => [plan.boxId, plan.secret]));
    const { sink } = settings;
    this.world = openVirtualWorld({
      seed: settings.seed,
      rule: brokerRule(BACKEND, (boxId) => secrets.get(boxId)),
      trace: {
        sink: (line) => {
          this.wire.read(line);
          sink?.(line);
        },
      },
    });
    this.#simulator = this.world.incarnation('simulator');
    this.#backend = this.world.incarnation('backend');
    this.#store = openSqliteStore(':memory:');
  }

  get store(): SqliteStore {
    return this.#store;
  }

  get fleet(): Fleet {
    if (this.#fleet === undefined) throw new Error('The stage has not been raised.');
    return this.#fleet;
  }

  /** Onboards the fleet, starts the service, then the boxes. */
  async raise(): Promise<void> {
    await this.#onboard();
    await this.#startService();
    this.#fleet = await startFleet(this.#simulator, this.plans);
  }

  /** Answers one HTTP request with a token of the fleet's client where `bearer` is given. */
  async call(method: 'GET' | 'POST', path: string, bearer?: string): Promise<Response> {
    if (this.#service === undefined) throw new Error('The service is down.');
    const headers = {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    };
    return this.#service.fetch(new Request(`${BASE_URL}${path}`, { method, headers }));
  }

  /** Counts of the incarnation of the service that runs. */
  counters(): Readonly<Record<string, number>> {
    return this.#service?.counters() ?? {};
  }

  /** A token of the fleet's client, which has every permission. */
  async token(): Promise<string> {
    if (this.#service === undefined) throw new Error('The service is down.');
    const response = await this.#service.fetch(
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
    this.#backend = this.world.incarnation('backend');
    await this.#startService();
  }

  async close(): Promise<void> {
    await this.#fleet?.stop();
    await this.#service?.stop();
    await this.#store.close();
  }

  async #startService(): Promise<void> {
    this.#service = startService(this.#backend, this.#store, {
      baseUrl: BASE_URL,
      mqtt: { clientId: 'backend-stage', ...BACKEND },
      answerTimeoutMs: 20_000,
      queues: [{ name: QUEUE, fleetId: FLEET_ID }],
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
    for (const plan of this.plans) {
      await vehicles.save({
        id: plan.vehicleId,
        fleetId: FLEET_ID,
        boxId: plan.boxId,
        boxSecretHash: this.#backend.seal.digest(plan.secret),
        generation: plan.generation,
        model: plan.model,
        setupStatus: 'SUCCEEDED',
        masterData: { vin: plan.vin, license_plate: plan.licensePlate },
        tags: [],
        atMs: this.#backend.time.nowMs(),
      });
    }
  }
}
