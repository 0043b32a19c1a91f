import { type Fleet, type SimulatorWorld, startFleet } from '../../simulator/fleet.ts';
import { type MakerCloud, startMakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import type { Random } from '../../world/random.ts';
import { seededRandom } from '../../world/seeded-random.ts';
import type { Time } from '../../world/time.ts';
import type { Trace } from '../../world/trace.ts';
import type { StoredMessage } from '../../world/virtual-exchange-broker.ts';
import { BREAKS, type Break } from '../language/breaks.ts';
import type { Scenario } from '../language/scenario.ts';
import type { VehicleAct } from '../language/vehicle-acts.ts';
import { WEATHER, type Weather } from '../language/weather.ts';
import type { Books } from '../run/books.ts';
import type { Evidence } from '../run/evidence.ts';
import type { FactKind } from '../run/fact.ts';
import type { SeenMessage } from '../run/judge.ts';
import type { Answer, Asked, Ending, GivenToken, Look, Player, Theatre } from '../run/theatre.ts';
import { type Actor, planActors } from './actor.ts';
import { actOn } from './acts.ts';
import { breakPart, type Mend } from './break-words.ts';
import { CallBook } from './call-book.ts';
import type { Clients, Reply } from './clients.ts';
import { ClockBook } from './clock-book.ts';
import { configureGroups } from './features.ts';
import { FrameLog } from './frame-log.ts';
import { limits } from './limits.ts';
import type { Lookout } from './lookout.ts';
import { MessageHeads } from './message-head.ts';
import { fleetIdOf, isFleetName, MAKER } from './names.ts';
import { KeptMessage, QueueBook } from './queue-book.ts';
import type { Scene } from './scene.ts';
import { layWeather } from './weather-words.ts';

/** What a theatre is in any world: the cast, the books, and what is done to either. A world adds what it stands on. */
export abstract class Playhouse implements Theatre {
  abstract readonly world: Theatre['world'];
  abstract readonly time: Time;
  abstract readonly random: Random;
  abstract readonly evidence: Evidence;
  readonly players: readonly Actor[];
  protected abstract readonly clients: Clients;
  protected abstract readonly scene: Scene;
  protected abstract readonly lookout: Lookout;
  protected readonly frames: FrameLog;
  protected readonly queues: QueueBook;
  protected readonly calls = new CallBook();
  /** Where somebody reads it. */
  protected readonly clocks: ClockBook | undefined;
  protected readonly byBox: ReadonlyMap<string, Actor>;
  protected fleet: Fleet | undefined;
  protected cloud: MakerCloud | undefined;
  readonly #books: Books;
  /** Whether some step waits for a message. */
  readonly #isHeard: boolean;
  readonly #heads = new MessageHeads();
  readonly #byVehicle = new Map<string, Actor>();
  #seen: (fact: FactKind) => void = () => undefined;
  #came: (message: SeenMessage) => void = () => undefined;

  constructor(scenario: Scenario, { seed, books }: { readonly seed: number; readonly books: Books }) {
    this.players = planActors(scenario.fleet, seededRandom(seed));
    this.frames = new FrameLog(books.frames);
    this.queues = new QueueBook(books.messages);
    this.#books = books;
    this.clocks = books.truth ? new ClockBook() : undefined;
    this.#isHeard = scenario.steps.some(({ expect, never }) =>
      [...expect, ...never].some(({ kind }) => kind === 'message'),
    );
    this.byBox = new Map(
      this.players.flatMap((actor) => (actor.boxId === undefined ? [] : [[actor.boxId, actor] as const])),
    );
    for (const actor of this.players) if (actor.vehicleId !== '') this.#byVehicle.set(actor.vehicleId, actor);
  }

  abstract raise(): Promise<void>;
  abstract close(): Promise<void>;

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
      layWeather(this.scene, boxIds, weather),
    );
  }

  break(broken: Break, players: readonly Player[], isTimed: boolean): Promise<Ending> {
    const { part, name, settings } = broken;
    const { boxIds, vehicles } = withBoxes(players);
    const rows: Readonly<Record<string, object>> = BREAKS[part];
    // What is down without an end of its own is up again at once.
    const isLasting = lasts(rows[name]) && (isTimed || part !== 'broker');
    return this.#fault(`${part} ${name}`, settings, part === 'box' ? vehicles : [], isLasting, () =>
      breakPart(this.scene, { boxIds, isTimed }, broken),
    );
  }

  async ask(asked: Asked): Promise<Answer> {
    const askedMs = this.time.nowMs();
    const [, vehicleId = ''] = /^\/vehicles\/([^/?]+)/.exec(asked.path) ?? [];
    const call = this.calls.begin(asked, this.#byVehicle.get(vehicleId));
    const reply: Reply = await this.clients.ask(asked);
    this.calls.end(call, askedMs, reply);
    return reply;
  }

  token(as: string): Promise<GivenToken> {
    return this.clients.fetchToken(as);
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
    const box = actor?.box;
    if (actor !== undefined && box !== undefined) {
      return {
        // Both are much to put together, and of a large fleet seldom what is looked for.
        get truth() {
          return box.truth();
        },
        get belief() {
          return box.belief();
        },
        isConnected: this.lookout.session(actor) === 'ready',
        held: this.lookout.held(actor),
      };
    }
    const { car } = actor ?? {};
    return { truth: car?.truth() ?? {}, belief: {}, isConnected: car?.isAsleep === false, held: 0 };
  }

  watch(seen: (fact: FactKind) => void, came: (message: SeenMessage) => void): void {
    this.#seen = seen;
    this.#came = came;
  }

  /** A fact that the world sees. */
  protected tell(fact: FactKind): void {
    this.#seen(fact);
  }

  /** A message came to lie in a queue: it goes into the books, and is a message of the run. */
  protected arrived(queue: string, stored: StoredMessage): void {
    const { name, vehicleId: told } = this.#heads.read(stored.type, stored.body);
    const { messageId } = stored;
    const actor = this.#byVehicle.get(told);
    // One text of each id is enough.
    const vehicleId = actor?.vehicleId === told ? actor.vehicleId : told;
    if (actor === undefined) this.#seen({ kind: 'message', vehicleId, name, queue, messageId });
    else this.#seen({ kind: 'message', vehicle: actor.number, vehicleId, name, queue, messageId });
    const { messages } = this.#books;
    if (messages === 'none' && !this.#isHeard) return;
    const isWhole = messages === 'whole' || this.#isHeard;
    const message = new KeptMessage(queue, vehicleId, name, stored, isWhole);
    this.queues.take(message);
    if (this.#isHeard) this.#came(message);
  }

  /** Gives all boxes power, and has them configured as the scenario says. */
  protected async bringUp(world: SimulatorWorld): Promise<void> {
    const boxPlans = this.players.flatMap(({ boxPlan }) => (boxPlan === undefined ? [] : [boxPlan]));
    this.fleet = await startFleet({ ...world, trace: this.#wireTrace(world.trace) }, boxPlans);
    for (const actor of this.players) {
      actor.box = actor.boxId === undefined ? undefined : this.fleet.boxes.get(actor.boxId);
      if (actor.box === undefined) continue;
      this.lookout.watch(actor, actor.box);
      if (this.#books.truth) actor.box.remember(this.#room);
    }
    await configureGroups({
      time: this.time,
      actors: this.players,
      isReady: (actor) => this.lookout.session(actor) === 'ready',
      ask: (asked) => this.clients.ask(asked),
    });
  }

  protected async startCloud(world: Parameters<typeof startMakerCloud>[0]): Promise<void> {
    const cars = this.players.flatMap(({ carPlan }) => (carPlan === undefined ? [] : [carPlan]));
    if (cars.length === 0) return;
    const { name, apiKey } = MAKER;
    this.cloud = await startMakerCloud(world, { name, apiKey, cars });
    for (const actor of this.players) {
      if (actor.carPlan === undefined) continue;
      actor.car = this.cloud.cars.get(actor.carPlan.carId);
      if (this.#books.truth) actor.car?.remember(this.#room);
    }
  }

  /** How many changes of one vehicle are kept. */
  get #room(): number {
    const { pastChanges, pastChangesLeast, pastChangesMost } = limits;
    const share = Math.floor(pastChanges / Math.max(1, this.players.length));
    return Math.min(Math.max(share, pastChangesLeast), pastChangesMost);
  }

  /** The simulator's trace, from which frames go into the books on their way. */
  #wireTrace(trace: Trace): Trace {
    if (this.#books.frames.size === 0) return trace;
    return {
      note: (event) => {
        trace.note(event);
        const { who, what, bytes } = event;
        if (bytes === undefined || !who.startsWith('box/')) return;
        if (what === 'frame-up') this.frames.take(who.slice(4), 'up', this.time.nowMs(), bytes);
        else if (what === 'frame-down') this.frames.take(who.slice(4), 'down', this.time.nowMs(), bytes);
      },
    };
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
