import { type Fleet, startFleet } from '../../simulator/fleet.ts';
import { type MakerCloud, startMakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import { type SimProviders, simProviders } from '../../simulator/sim-provider/providers.ts';
import type { Random } from '../../world/random.ts';
import { seededRandom } from '../../world/seeded-random.ts';
import type { Time } from '../../world/time.ts';
import type { Trace } from '../../world/trace.ts';
import { type Incarnation, openVirtualWorld, type VirtualWorld } from '../../world/virtual-world.ts';
import { brokerRule } from '../broker-rule.ts';
import { CrashPoints } from '../crash-points.ts';
import { httpHandler } from '../http-handler.ts';
import { BREAKS, type Break } from '../language/breaks.ts';
import type { Scenario } from '../language/scenario.ts';
import type { VehicleAct } from '../language/vehicle-acts.ts';
import { WEATHER, type Weather } from '../language/weather.ts';
import type { Evidence } from '../run/evidence.ts';
import type { FactKind } from '../run/fact.ts';
import type { SeenMessage } from '../run/judge.ts';
import type { Answer, Asked, Ending, Look, Player, Theatre } from '../run/theatre.ts';
import { type Actor, planActors } from './actor.ts';
import { actOn } from './acts.ts';
import { breakPart, type Mend } from './break-words.ts';
import { CallBook } from './call-book.ts';
import { Clients, type Reply } from './clients.ts';
import { evidenceOf } from './evidence.ts';
import { configureGroups } from './features.ts';
import { FrameLog } from './frame-log.ts';
import { Levels } from './levels.ts';
import { Lookout } from './lookout.ts';
import { BACKEND, BASE_URL, fleetIdOf, isFleetName, MAKER, SIM_KEYS, SIMS_URL } from './names.ts';
import { Office } from './office.ts';
import { withoutStoredCheck } from './planted-bug.ts';
import { populate } from './populate.ts';
import { QueueBook } from './queue-book.ts';
import { makeLayers, type Scene } from './scene.ts';
import { StoreFaults } from './store-faults.ts';
import { layWeather } from './weather-words.ts';

export interface VirtualTheatreOptions {
  /** In place of the scenario's. */
  readonly seed?: number;
  /** Handed each line of the trace. */
  readonly sink?: (line: string) => void;
  /** A receipt check is left out (planted-bug.ts): records get lost, for checkers and explorers to find. */
  readonly plantedBug?: boolean;
  /** Reads a file beside the scenario, for weather that plays a recorded link; undefined: there is none. */
  readonly readFile?: (file: string) => string | undefined;
  /** False: frames and messages are not kept, for long runs without checkers. */
  readonly hasBooks?: boolean;
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

class OneProcess implements VirtualTheatre {
  readonly world = 'virtual';
  readonly virtualWorld: VirtualWorld;
  readonly time: Time;
  readonly random: Random;
  readonly players: readonly Actor[];
  readonly evidence: Evidence;
  readonly #clients: Clients;
  readonly #office: Office;
  readonly #sims: SimProviders;
  readonly #scene: Scene;
  readonly #simulator: Incarnation;
  readonly #lookout: Lookout;
  readonly #levels: Levels;
  readonly #frames = new FrameLog();
  readonly #queues = new QueueBook();
  readonly #calls = new CallBook();
  readonly #byBox: ReadonlyMap<string, Actor>;
  readonly #byVehicle = new Map<string, Actor>();
  readonly #hasBooks: boolean;
  #fleet: Fleet | undefined;
  #cloud: MakerCloud | undefined;
  #seen: (fact: FactKind) => void = () => undefined;
  #came: (message: SeenMessage) => void = () => undefined;

  constructor(scenario: Scenario, options: VirtualTheatreOptions) {
    const { seed = scenario.seed, sink, plantedBug, hasBooks } = options;
    this.players = planActors(scenario.fleet, seededRandom(seed));
    this.#hasBooks = hasBooks !== false;
    this.#byBox = new Map(
      this.players.flatMap((actor) => (actor.boxId === undefined ? [] : [[actor.boxId, actor] as const])),
    );
    for (const actor of this.players) if (actor.vehicleId !== '') this.#byVehicle.set(actor.vehicleId, actor);
    this.virtualWorld = openVirtualWorld({
      seed,
      rule: brokerRule(BACKEND, (boxId) => this.#byBox.get(boxId)?.boxPlan?.secret),
      trace: sink === undefined ? {} : { sink },
    });
    const world = this.virtualWorld;
    this.time = world.time;
    this.random = world.random;
    this.#simulator = world.incarnation('simulator');
    this.#lookout = new Lookout(this.time, (fact) => this.#seen(fact));
    const storeFaults = new StoreFaults();
    const points = new CrashPoints((taken) => world.exchangeBroker.whenTaken(taken));
    this.#office = new Office({
      world,
      hasMaker: this.players.some(({ carPlan }) => carPlan !== undefined),
      guard: (store, life) => points.store(storeFaults.guard(store, life.time)),
      ports: (life) =>
        points.world(plantedBug === true ? { ...life, link: withoutStoredCheck(life.link) } : life),
      changed: (state, reason) => this.#seen({ kind: 'service', state, reason }),
    });
    this.#clients = new Clients(scenario.clients, this.time, (request) => this.#office.fetch(request));
    this.#levels = new Levels(world, this.#office, this.players.length);
    this.#sims = simProviders({
      time: this.#simulator.time,
      fleet: () => this.#fleet,
      apiKeys: SIM_KEYS,
    });
    const boxOf = (boxId: string) => this.#byBox.get(boxId)?.box;
    const cloud = () => this.#cloud;
    this.#scene = {
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
      frames: this.#frames,
      queues: this.#queues,
      calls: this.#calls,
      lookout: this.#lookout,
      levels: this.#levels,
      chips: world.chips,
      inquire: (asked) => this.#clients.ask(asked),
    });
    this.#serve();
    this.#listen();
  }

  async raise(): Promise<void> {
    const { store, life } = this.#office;
    await this.#clients.register(store.access, life);
    await populate(this.players, store.vehicles, life);
    await this.#startCloud();
    await this.#office.start('the run begins');
    const boxPlans = this.players.flatMap(({ boxPlan }) => (boxPlan === undefined ? [] : [boxPlan]));
    this.#fleet = await startFleet({ ...this.#simulator, trace: this.#wireTrace() }, boxPlans);
    for (const actor of this.players) {
      actor.box = actor.boxId === undefined ? undefined : this.#fleet.boxes.get(actor.boxId);
      if (actor.box !== undefined) this.#lookout.watch(actor, actor.box);
    }
    await configureGroups({
      time: this.time,
      actors: this.players,
      isReady: (actor) => this.#lookout.session(actor) === 'ready',
      ask: (asked) => this.#clients.ask(asked),
    });
    this.#levels.begin(this.time);
  }

  act(player: Player, act: VehicleAct): Promise<{ readonly refusal?: string; readonly outcome?: unknown }> {
    const actor = this.players[player.number - 1];
    return actor === undefined
      ? Promise.resolve({ refusal: 'There is no such vehicle.' })
      : actOn(actor, act);
  }

  weather(weather: Weather, players: readonly Player[]): Promise<Ending> {
    const { name, settings } = weather;
    const { boxIds, vehicles } = withBoxes(players);
    return this.#fault(`weather ${name}`, settings, vehicles, lasts(WEATHER[name]), () =>
      layWeather(this.#scene, boxIds, weather),
    );
  }

  break(broken: Break, players: readonly Player[], isTimed: boolean): Promise<Ending> {
    const { part, name, settings } = broken;
    const { boxIds, vehicles } = withBoxes(players);
    const rows: Readonly<Record<string, object>> = BREAKS[part];
    // What is down without an end of its own is up again at once.
    const isLasting = lasts(rows[name]) && (isTimed || part !== 'broker');
    return this.#fault(`${part} ${name}`, settings, part === 'box' ? vehicles : [], isLasting, () =>
      breakPart(this.#scene, { boxIds, isTimed }, broken),
    );
  }

  async ask(asked: Asked): Promise<Answer> {
    const askedMs = this.time.nowMs();
    const [, vehicleId = ''] = /^\/vehicles\/([^/?]+)/.exec(asked.path) ?? [];
    const call = this.#calls.begin(asked, this.#byVehicle.get(vehicleId));
    const reply: Reply = await this.#clients.ask(asked);
    this.#calls.end(call, askedMs, reply);
    return reply;
  }

  token(as: string): Promise<string> {
    return this.#clients.fetchToken(as);
  }

  onboarded(player: Player, vehicleId: string): void {
    const actor = this.players[player.number - 1];
    if (actor === undefined) return;
    actor.vehicleId = vehicleId;
    // What still comes of a vehicle that was deleted is its own.
    if (vehicleId !== '') this.#byVehicle.set(vehicleId, actor);
  }

  fleetId(name: string): string {
    if (!isFleetName(name)) throw new Error(`There is no fleet ${name}: own, partner or stranger.`);
    return fleetIdOf(name);
  }

  look(player: Player): Look {
    const actor = this.players[player.number - 1];
    if (actor?.box !== undefined) {
      return {
        truth: actor.box.truth(),
        belief: actor.box.belief(),
        isConnected: this.#lookout.session(actor) === 'ready',
        held: this.#lookout.held(actor),
      };
    }
    const { car } = actor ?? {};
    return { truth: car?.truth() ?? {}, belief: {}, isConnected: car?.isAsleep === false, held: 0 };
  }

  watch(seen: (fact: FactKind) => void, came: (message: SeenMessage) => void): void {
    this.#seen = seen;
    this.#came = came;
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
        if (this.#cloud === undefined) throw new Error('There is no maker.');
        return this.#cloud.app.fetch(request);
      }),
    );
  }

  /** What comes to lie in the queues of the theatre itself is a message of the run. */
  #listen(): void {
    this.virtualWorld.exchangeBroker.listen((queue, stored) => {
      const message = this.#queues.take(queue, stored, this.#hasBooks);
      const vehicle = this.#byVehicle.get(message.vehicleId)?.number;
      const { vehicleId, name, messageId } = message;
      this.#seen({
        kind: 'message',
        ...(vehicle === undefined ? {} : { vehicle }),
        vehicleId,
        name,
        queue,
        messageId,
      });
      this.#came(message);
    });
  }

  /** The simulator's trace, from which frames go into the books on their way. */
  #wireTrace(): Trace {
    const { trace } = this.#simulator;
    if (!this.#hasBooks) return trace;
    return {
      note: (event) => {
        trace.note(event);
        const { who, what, bytes } = event;
        if (bytes === undefined || !who.startsWith('box/')) return;
        if (what === 'frame-up') this.#frames.take(who.slice(4), 'up', this.time.nowMs(), bytes);
        else if (what === 'frame-down') this.#frames.take(who.slice(4), 'down', this.time.nowMs(), bytes);
      },
    };
  }

  async #startCloud(): Promise<void> {
    const cars = this.players.flatMap(({ carPlan }) => (carPlan === undefined ? [] : [carPlan]));
    if (cars.length === 0) return;
    const { name, apiKey } = MAKER;
    this.#cloud = await startMakerCloud(this.#simulator, { name, apiKey, cars });
    for (const actor of this.players) {
      if (actor.carPlan !== undefined) actor.car = this.#cloud.cars.get(actor.carPlan.carId);
    }
  }

  /** Tells of a fault, has it happen, and tells of its end once it is taken back. */
  async #fault(
    name: string,
    settings: unknown,
    vehicles: readonly number[],
    isLasting: boolean,
    begin: () => Mend | Promise<Mend>,
  ): Promise<Ending> {
    const detail = typeof settings === 'string' ? settings : JSON.stringify(settings);
    const fact = { kind: 'fault', name, detail, vehicles } as const;
    this.#seen({ ...fact, phase: isLasting ? 'begins' : 'happens' });
    const end = await begin();
    let isOver = false;
    return async () => {
      if (isOver) return;
      isOver = true;
      await end?.();
      if (isLasting) this.#seen({ ...fact, phase: 'ends' });
    };
  }
}

function withBoxes(players: readonly Player[]) {
  const own = players.flatMap(({ boxId, number }) => (boxId === undefined ? [] : [{ boxId, number }]));
  return { boxIds: own.map(({ boxId }) => boxId), vehicles: own.map(({ number }) => number) };
}

function lasts(row: object | undefined): boolean {
  return row !== undefined && 'lasts' in row;
}
