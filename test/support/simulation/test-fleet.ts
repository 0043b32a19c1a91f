import type { SqliteStore } from '../../../backend/store/sqlite/store.ts';
import { CHECKER_NAMES } from '../../../judge/checkers.ts';
import type { QueuedMessage } from '../../../judge/evidence/evidence.ts';
import type { Fact } from '../../../judge/evidence/fact.ts';
import { CHECKS } from '../../../judge/rules/checks.ts';
import type { FleetGroup, Scenario } from '../../../scenarios/language/document/scenario.ts';
import { heal, planOf } from '../../../scenarios/run/run.ts';
import { fleetIdOf } from '../../../scenarios/testbed/common/names.ts';
import {
  openVirtualTestbed,
  type VirtualTestbed,
} from '../../../scenarios/testbed/virtual/virtual-testbed.ts';
import type { FleetBox } from '../../../simulator/box/fleet-box.ts';
import type { BoxPlan, RadioSetting, SimProviderName } from '../../../simulator/box-plan.ts';
import type { Fleet } from '../../../simulator/fleet/fleet.ts';
import { planFleet } from '../../../simulator/fleet/fleet-plan.ts';
import type { Car } from '../../../simulator/maker-cloud/car.ts';
import type { MakerCloud } from '../../../simulator/maker-cloud/cloud.ts';
import type { SimProviders } from '../../../simulator/sim-provider/providers.ts';
import type { Traffic } from '../../../simulator/vehicle/driving/traffic.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { runInSandbox } from '../../../world/sandbox/virtual-sandbox.ts';
import type { VirtualWorld } from '../../../world/virtual-world.ts';

export interface TestFleetSettings {
  readonly seed: number;
  /**
   * Built as those of the demonstration (simulator/fleet/fleet-plan.ts): the third is a parked car, the sixth a
   * parked moped.
   */
  readonly vehicles: number;
  /** Behind their maker's cloud, beside those with boxes; absent: none. */
  readonly makerVehicles?: number;
  /** Absent: none. */
  readonly features?: FleetGroup['features'];
  /** The maintenance set is booked for every vehicle. */
  readonly isMaintained?: boolean;
  /** Absent: ideal. */
  readonly radio?: RadioSetting;
  /** Everybody is parked at first, and keeps the distance on this road. */
  readonly road?: Traffic;
  /** Handed each line of the trace. */
  readonly sink?: (line: string) => void;
}

const BASE_URL = 'http://service.virtual';

/** A fleet on the virtual testbed, for tests that do what the scenario language cannot express. */
export class TestFleet {
  readonly testbed: VirtualTestbed;
  readonly world: VirtualWorld;
  readonly fleetId = fleetIdOf('own');
  readonly #scenario: Scenario;
  readonly #facts: Fact[] = [];

  constructor(settings: TestFleetSettings) {
    const { seed, road, sink } = settings;
    this.#scenario = scenarioOf(settings);
    this.testbed = openVirtualTestbed(this.#scenario, {
      seed,
      ...(road === undefined ? {} : { traffic: road }),
      ...(sink === undefined ? {} : { onTraceLine: sink }),
    });
    this.world = this.testbed.virtualWorld;
    this.testbed.observe(
      (fact) => {
        if (fact.kind === 'service') this.#facts.push({ atMs: this.world.time.nowMs(), ...fact });
      },
      () => undefined,
    );
  }

  /** Raises such a fleet, plays, and closes it, all in its virtual time. */
  static play<T>(settings: TestFleetSettings, body: (fleet: TestFleet) => Promise<T>): Promise<T> {
    const fleet = new TestFleet(settings);
    return runInSandbox(fleet.world, () =>
      fleet.world.run(async () => {
        await fleet.raise();
        const result = await body(fleet);
        await fleet.close();
        return result;
      }),
    );
  }

  get plans(): readonly BoxPlan[] {
    return this.testbed.vehicles.flatMap(({ boxPlan }) => boxPlan ?? []);
  }

  get boxes(): readonly FleetBox[] {
    return this.testbed.vehicles.flatMap(({ box }) => box ?? []);
  }

  get fleet(): Fleet {
    const { fleet } = this.testbed;
    if (fleet === undefined) throw new Error('The fleet has not been raised.');
    return fleet;
  }

  get cars(): readonly Car[] {
    return this.testbed.vehicles.flatMap(({ car }) => car ?? []);
  }

  get store(): SqliteStore {
    return this.testbed.service.store;
  }

  get sims(): SimProviders {
    return this.testbed.sims;
  }

  get cloud(): MakerCloud {
    const { cloud } = this.testbed;
    if (cloud === undefined) throw new Error('The fleet has no maker, or has not been raised.');
    return cloud;
  }

  raise(): Promise<void> {
    return this.testbed.start();
  }

  close(): Promise<void> {
    return this.testbed.close();
  }

  /** All that was ever put into the fleet's queue of that topic, oldest first, repeats included. */
  messages(topic = 'VehicleState_v1'): readonly QueuedMessage[] {
    return [...this.testbed.queues.messages(`${topic}-own`, this.fleetId, 0)];
  }

  /** Counts of the incarnation of the service that runs. */
  counters(): Readonly<Record<string, number>> {
    return this.testbed.service.counters();
  }

  /** A token of the fleet's client, which has every permission. */
  async token(): Promise<string> {
    const { token } = await this.testbed.token('owner');
    if (token === undefined) throw new Error('No token came.');
    return token;
  }

  /** Calls the running service with that token; `body` is JSON text. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    token?: string,
    body?: string,
  ): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    return this.fetch(
      new Request(`${BASE_URL}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
    );
  }

  /** Rejects while the service is down; if it crashes meanwhile, the call never settles. */
  async fetch(request: Request): Promise<Response> {
    if (!this.testbed.service.isUp) throw new Error('The service is down.');
    return (await this.testbed.service.fetch(request)) ?? new Promise<Response>(() => undefined);
  }

  /** As kill -9: the memory of the service is lost, its commits stay. */
  crashService(): void {
    this.testbed.service.crash('the test');
  }

  async restartService(): Promise<void> {
    await this.testbed.service.start('the test');
  }

  /**
   * Waits until everything has healed and runs every checker; returns their findings. They see only calls made with
   * `testbed.ask`: a feature configured in another way counts as not requested.
   */
  async findings(): Promise<readonly string[]> {
    const { vehicles, evidence } = this.testbed;
    const unhealed = await heal(this.testbed, this.#scenario.limits.healMs);
    const scope = {
      vehicles,
      evidence,
      unhealed,
      plan: planOf(this.#scenario),
      testbed: this.testbed,
      facts: this.#facts,
      factsDropped: 0,
    };
    const said: string[] = [];
    for (const checker of CHECKER_NAMES) {
      const { findings } = await CHECKS[checker](scope);
      said.push(...findings.map(({ text }) => `${checker}: ${text}`));
    }
    return said;
  }
}

function scenarioOf(settings: TestFleetSettings): Scenario {
  const { seed, vehicles, makerVehicles = 0, features = {}, isMaintained = false, radio, road } = settings;
  const common = { features, isMaintained, isOnShelf: false, fleet: 'own' } as const;
  const parked = road === undefined ? {} : { isDriving: false };
  const boxes = planFleet(seededRandom(seed), vehicles).map((plan, index): FleetGroup => {
    const { model, generation, firmware, route, driving, sim } = plan;
    return {
      as: `box-${index}`,
      count: 1,
      ...common,
      model,
      generation,
      route,
      isDriving: driving,
      ...parked,
      firmware: firmware.join('.'),
      sim: sim.provider as SimProviderName,
      ...(radio === undefined ? {} : { radio }),
    };
  });
  const cars: FleetGroup = { as: 'cars', count: makerVehicles, ...common, ...parked, maker: 'northwind' };
  return {
    name: 'test-fleet',
    about: 'A fleet of a test.',
    seed,
    clients: [],
    steps: [],
    always: [],
    vary: [],
    fleet: makerVehicles === 0 ? boxes : [...boxes, cars],
    limits: { healMs: 600_000 },
  };
}
