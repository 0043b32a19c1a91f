import { type SimProviders, simProviders } from '../../simulator/sim-provider/providers.ts';
import type { Random } from '../../world/random.ts';
import type { Time } from '../../world/time.ts';
import { type Incarnation, openVirtualWorld, type VirtualWorld } from '../../world/virtual-world.ts';
import { brokerRule } from '../broker-rule.ts';
import { CrashPoints } from '../crash-points.ts';
import { httpHandler } from '../http-handler.ts';
import type { Scenario } from '../language/scenario.ts';
import { isOfJournal } from '../ledger/read-flash.ts';
import { type Books, EVERY_BOOK } from '../run/books.ts';
import type { Evidence } from '../run/evidence.ts';
import type { Theatre } from '../run/theatre.ts';
import { Clients } from '../theatre/clients.ts';
import { evidenceOf } from '../theatre/evidence.ts';
import { Lookout } from '../theatre/lookout.ts';
import { BACKEND, BASE_URL, MAKER, SIM_KEYS, SIMS_URL } from '../theatre/names.ts';
import { Playhouse } from '../theatre/playhouse.ts';
import { populate } from '../theatre/populate.ts';
import { makeLayers, type Scene } from '../theatre/scene.ts';
import { StoreFaults } from '../theatre/store-faults.ts';
import { Levels } from './levels.ts';
import { Office } from './office.ts';
import { withoutStoredCheck } from './planted-bug.ts';

export interface VirtualTheatreOptions {
  /** In place of the scenario's. */
  readonly seed?: number;
  /** Handed each line of the trace. */
  readonly sink?: (line: string) => void;
  /** A receipt check is left out (planted-bug.ts): records get lost, for checkers and explorers to find. */
  readonly plantedBug?: boolean;
  /** Reads a file beside the scenario, for weather that plays a recorded link; undefined: there is none. */
  readonly readFile?: (file: string) => string | undefined;
  /** Absent: every one. */
  readonly books?: Books;
}

/** The theatre in one process without a clock. */
export interface VirtualTheatre extends Theatre {
  readonly virtualWorld: VirtualWorld;
  /** Of the trace so far. */
  hash(): string;
}

/** Plans everything and opens a world for it; nothing happens before `raise`. Theatres share nothing. */
export function openVirtualTheatre(scenario: Scenario, options: VirtualTheatreOptions = {}): VirtualTheatre {
  return new OneProcess(scenario, options);
}

class OneProcess extends Playhouse implements VirtualTheatre {
  readonly world = 'virtual';
  readonly virtualWorld: VirtualWorld;
  readonly time: Time;
  readonly random: Random;
  readonly evidence: Evidence;
  protected readonly clients: Clients;
  protected readonly scene: Scene;
  protected readonly lookout: Lookout;
  readonly #office: Office;
  readonly #sims: SimProviders;
  readonly #simulator: Incarnation;
  readonly #levels: Levels;

  constructor(scenario: Scenario, options: VirtualTheatreOptions) {
    const { seed = scenario.seed, sink, plantedBug, books = EVERY_BOOK } = options;
    super(scenario, { seed, books });
    this.virtualWorld = openVirtualWorld({
      seed,
      rule: brokerRule(BACKEND, (boxId) => this.byBox.get(boxId)?.boxPlan?.secret),
      trace: sink === undefined ? {} : { sink },
    });
    const world = this.virtualWorld;
    this.time = world.time;
    this.random = world.random;
    this.#simulator = world.incarnation('simulator');
    this.lookout = new Lookout(this.time, (fact) => this.tell(fact), this.clocks);
    const storeFaults = new StoreFaults();
    const points = new CrashPoints((taken) => world.exchangeBroker.whenTaken(taken));
    this.#office = new Office({
      world,
      hasMaker: this.players.some(({ carPlan }) => carPlan !== undefined),
      guard: (store, life) => points.store(storeFaults.guard(store, life.time)),
      ports: (life) =>
        points.world(plantedBug === true ? { ...life, link: withoutStoredCheck(life.link) } : life),
      changed: (state, reason) => this.tell({ kind: 'service', state, reason }),
    });
    this.clients = new Clients(scenario.clients, this.time, (request) => this.#office.fetch(request));
    this.#levels = new Levels(world, this.#office, this.players.length);
    this.#sims = simProviders({
      time: this.#simulator.time,
      fleet: () => this.fleet,
      apiKeys: SIM_KEYS,
    });
    const boxOf = (boxId: string) => this.byBox.get(boxId)?.box;
    const cloud = () => this.cloud;
    this.scene = {
      world,
      office: this.#office,
      sims: this.#sims,
      store: storeFaults,
      points,
      boxOf,
      readFile: options.readFile ?? (() => undefined),
      cloud,
      layers: makeLayers(world, boxOf, this.#sims, cloud),
    };
    this.evidence = evidenceOf({
      actors: this.players,
      office: this.#office,
      frames: this.frames,
      queues: this.queues,
      calls: this.calls,
      lookout: this.lookout,
      clocks: this.clocks,
      levels: this.#levels,
      pagesOf: (boxId) => Promise.resolve(world.chips.chip(boxId).pages(isOfJournal)),
      inquire: (asked) => this.clients.ask(asked),
    });
    this.#serve();
    const { exchangeBroker } = this.virtualWorld;
    exchangeBroker.listen((queue, stored) => {
      this.arrived(queue, stored);
      // As whoever reads the queues: what is to be kept is in the books.
      exchangeBroker.drain(queue);
    });
  }

  async raise(): Promise<void> {
    const { store, life } = this.#office;
    await this.clients.register(store.access, life);
    await populate(this.players, store.vehicles, life);
    await this.startCloud(this.#simulator);
    await this.#office.start('the run begins');
    await this.bringUp(this.#simulator);
    this.#levels.begin(this.time);
  }

  hash(): string {
    return this.virtualWorld.hash();
  }

  /** At once, as the end of the world: nothing of it happens any more. */
  async close(): Promise<void> {
    this.#simulator.sever();
    await this.#office.close();
  }

  #serve(): void {
    const { origins } = this.virtualWorld;
    origins.serve(
      SIMS_URL,
      httpHandler((request) => this.#sims.app.fetch(request)),
    );
    origins.serve(
      BASE_URL,
      // Without a service the connection ends without an answer, as a proxy's does.
      httpHandler(async (request) => {
        const response = await this.#office.fetch(request);
        if (response === undefined) throw new Error('The service is down.');
        return response;
      }),
    );
    origins.serve(
      MAKER.url,
      httpHandler((request) => {
        if (this.cloud === undefined) throw new Error('There is no maker.');
        return this.cloud.app.fetch(request);
      }),
    );
  }
}
