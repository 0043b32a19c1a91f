import type { Store } from '../../../backend/store/port/store.ts';
import type { Evidence } from '../../../judge/evidence/evidence.ts';
import type { FactKind } from '../../../judge/evidence/fact.ts';
import type { SimulatedVehicle, VehicleSnapshot } from '../../../judge/evidence/simulated-vehicle.ts';
import type { Recordings } from '../../../judge/recordings.ts';
import type { MessageKindName } from '../../../protocol/message-kinds.ts';
import { type Fleet, startFleet } from '../../../simulator/fleet/fleet.ts';
import { type MakerCloud, startMakerCloud } from '../../../simulator/maker-cloud/cloud.ts';
import type { Route } from '../../../simulator/routes/route.ts';
import type { SimulatorWorld } from '../../../simulator/simulator-world.ts';
import type { Traffic } from '../../../simulator/vehicle/driving/traffic.ts';
import type { StoredAmqpMessage } from '../../../world/amqp/virtual-amqp-broker.ts';
import type { Random } from '../../../world/random/random.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import type { Time } from '../../../world/time/time.ts';
import type { Trace } from '../../../world/trace/trace.ts';
import type { Scenario } from '../../language/document/scenario.ts';
import type { CrashPoint } from '../../language/steps/backend-breaks.ts';
import { BREAKS, type Break } from '../../language/steps/breaks.ts';
import type { ApiRequest } from '../../language/steps/request.ts';
import type { VehicleAct } from '../../language/steps/vehicle-acts.ts';
import { WEATHER, type Weather } from '../../language/steps/weather.ts';
import { testbedLimits } from '../../limits.ts';
import type { ApiAnswer, SeenMessage, Testbed, TokenAnswer, UndoFault } from '../port/testbed.ts';
import type { WatchedFault } from '../port/watched-fault.ts';
import type { ApiClients, ClientAnswer } from './api-clients.ts';
import { configureFleet } from './configure-fleet.ts';
import type { ActiveFault, ProbeBoxes } from './faults/active-fault.ts';
import { breakPart } from './faults/break-words.ts';
import { type FaultTargets, testbedTargets } from './faults/fault-targets.ts';
import { FaultWatch } from './faults/fault-watch.ts';
import { FlashFaults } from './faults/flash-faults.ts';
import { applyWeather, isOfExchange } from './faults/weather-words.ts';
import { FrameListeners } from './frame-listeners.ts';
import { MessageHeads } from './message-head.ts';
import { fleetIdOf, isFleetName, MAKER } from './names.ts';
import { QueueOwners } from './queue-owners.ts';
import { BoxRecording } from './recordings/box-recording.ts';
import { CallRecording } from './recordings/call-recording.ts';
import { ClockRecording } from './recordings/clock-recording.ts';
import { FrameRecording } from './recordings/frame-recording.ts';
import { NotificationRecording } from './recordings/notification-recording.ts';
import { QueueRecording, RecordedMessage } from './recordings/queue-recording.ts';
import type { BoxWatch } from './vehicles/box-watch.ts';
import { type ActOutcome, performAct } from './vehicles/perform-act.ts';
import { type PlannedVehicle, planVehicles } from './vehicles/planned-vehicle.ts';
import { routesOf } from './vehicles/recorded-routes.ts';

/** The common part of a testbed in any world: vehicles, recordings, and actions on either. A world adds its ports. */
export abstract class CommonTestbed implements Testbed {
  abstract readonly world: Testbed['world'];
  abstract readonly time: Time;
  abstract readonly random: Random;
  abstract readonly evidence: Evidence;
  readonly vehicles: readonly PlannedVehicle[];
  protected abstract readonly clients: ApiClients;
  protected abstract readonly faultTargets: FaultTargets;
  protected abstract readonly boxWatch: BoxWatch;
  protected readonly frames: FrameRecording;
  readonly queues: QueueRecording;
  protected readonly calls = new CallRecording();
  /** If a checker reads it. */
  protected readonly notifications = new NotificationRecording();
  protected readonly clockErrors: ClockRecording | undefined;
  protected readonly boxHistory: BoxRecording | undefined;
  protected readonly vehiclesByBox: ReadonlyMap<string, PlannedVehicle>;
  protected readonly flashFaults = new FlashFaults({
    tearLastWrite: (boxId) => this.tearLastWrite(boxId),
    losePower: (boxId) => this.vehiclesByBox.get(boxId)?.box?.losePower(),
  });
  fleet: Fleet | undefined;
  cloud: MakerCloud | undefined;
  readonly #recordings: Recordings;
  readonly #readFile: FaultTargets['readFile'];
  readonly #routes: ReadonlyMap<string, Route>;
  /** The waits for frames; undefined: no step has one. */
  readonly #frameListeners: FrameListeners | undefined;
  /** Whether some step waits for a message. */
  readonly #needsBodies: boolean;
  readonly #messageHeads = new MessageHeads();
  readonly #queueOwners = new QueueOwners();
  readonly #vehiclesById = new Map<string, PlannedVehicle>();
  #onFact: (fact: FactKind) => void = () => undefined;
  readonly #faultWatchers: ((fault: WatchedFault) => void)[] = [];
  #onMessage: (message: SeenMessage) => void = () => undefined;

  constructor(
    scenario: Scenario,
    {
      seed,
      recordings,
      readFile = () => undefined,
    }: {
      readonly seed: number;
      readonly recordings: Recordings;
      readonly readFile?: ((file: string) => string | undefined) | undefined;
    },
  ) {
    this.#readFile = readFile;
    this.#routes = routesOf(scenario.fleet, readFile);
    this.vehicles = planVehicles(scenario.fleet, seededRandom(seed));
    this.frames = new FrameRecording(recordings.frames);
    this.queues = new QueueRecording(recordings.messages);
    this.#recordings = recordings;
    this.clockErrors = recordings.truth ? new ClockRecording() : undefined;
    this.boxHistory = recordings.boxes ? new BoxRecording() : undefined;
    this.#needsBodies = scenario.steps.some(({ expect, never }) =>
      [...expect, ...never].some(({ kind }) => kind === 'message'),
    );
    this.#frameListeners = scenario.steps.some(({ trigger }) => trigger?.name === 'frame')
      ? new FrameListeners()
      : undefined;
    this.vehiclesByBox = new Map(
      this.vehicles.flatMap((planned) =>
        planned.boxId === undefined ? [] : [[planned.boxId, planned] as const],
      ),
    );
    for (const planned of this.vehicles)
      if (planned.vehicleId !== '') this.#vehiclesById.set(planned.vehicleId, planned);
  }

  abstract start(): Promise<void>;
  abstract close(): Promise<void>;

  async act({ number }: SimulatedVehicle, act: VehicleAct): Promise<ActOutcome> {
    const planned = this.vehicles[number - 1];
    if (planned === undefined) return { refusal: 'There is no such vehicle.' };
    const atMs = this.time.nowMs();
    const done = await performAct(planned, act, {
      nowMs: () => this.time.nowMs(),
      asked: (question) => this.boxHistory?.add(number, 'phones', question),
    });
    const { name, settings } = act;
    const refused = done.refusal === undefined ? {} : { refusal: done.refusal };
    this.boxHistory?.add(number, 'acts', { atMs, name, settings, ...refused });
    return done;
  }

  weather(networkFaults: Weather, vehicles: readonly SimulatedVehicle[]): Promise<UndoFault> {
    const { name, settings } = networkFaults;
    const { boxIds, vehicles: numbers } = boxesOf(vehicles);
    const met = isOfExchange(networkFaults) ? [] : numbers;
    return this.#applyFault(`weather ${name}`, settings, met, isLasting(WEATHER[name]), () =>
      applyWeather(this.faultTargets, boxIds, networkFaults),
    );
  }

  break(broken: Break, vehicles: readonly SimulatedVehicle[], isTimed: boolean): Promise<UndoFault> {
    const { part, name, settings } = broken;
    const { boxIds, vehicles: numbers } = boxesOf(vehicles);
    const rows: Readonly<Record<string, object>> = BREAKS[part];
    // What is down without an end of its own is up again immediately: a broker that restarts, unless it is to stay
    // away.
    const isAtOnce = part === 'broker' && name === 'restart' && !isTimed;
    const hasDuration = isLasting(rows[name]) && !isAtOnce;
    return this.#applyFault(`${part} ${name}`, settings, part === 'box' ? numbers : [], hasDuration, () =>
      breakPart(this.faultTargets, { boxIds, isTimed }, broken),
    );
  }

  onFrame(kind: MessageKindName, vehicles: readonly SimulatedVehicle[], happened: () => void): () => void {
    if (this.#frameListeners === undefined) throw new Error('No step waits for a frame.');
    return this.#frameListeners.add(kind, boxesOf(vehicles).boxIds, happened);
  }

  onPoint(point: CrashPoint, happened: () => void): () => void {
    return this.faultTargets.crashPoints.watch(point, happened);
  }

  async ask(request: ApiRequest): Promise<ApiAnswer> {
    const askedMs = this.time.nowMs();
    const [, vehicleId = ''] = /^\/vehicles\/([^/?]+)/.exec(request.path) ?? [];
    const planned = this.#vehiclesById.get(vehicleId);
    const call = this.calls.begin(request, planned);
    const reply: ClientAnswer = await this.clients.ask(request);
    const isOfCard = request.path.includes('/box-connectivity-commands/');
    this.calls.end(call, askedMs, reply, isOfCard ? planned?.box?.sim() : undefined);
    this.#queueOwners.note(request, reply.status, this.clients.fleetOf(request.as), askedMs);
    return reply;
  }

  token(as: string): Promise<TokenAnswer> {
    return this.clients.fetchToken(as);
  }

  setVehicleId(vehicle: SimulatedVehicle, vehicleId: string): void {
    const planned = this.vehicles[vehicle.number - 1];
    if (planned === undefined) return;
    planned.vehicleId = vehicleId;
    // A deleted vehicle keeps its later messages.
    if (vehicleId !== '') this.#vehiclesById.set(vehicleId, planned);
  }

  fleetId(name: string): string {
    if (!isFleetName(name)) throw new Error(`There is no fleet ${name}: own, partner or stranger.`);
    return fleetIdOf(name);
  }

  fleetOfQueue(queue: string, atMs: number): string | undefined {
    return this.#queueOwners.ownerOf(queue, atMs);
  }

  snapshotOf(vehicle: SimulatedVehicle): VehicleSnapshot {
    const planned = this.vehicles[vehicle.number - 1];
    const box = planned?.box;
    if (planned !== undefined && box !== undefined) {
      let truth: VehicleSnapshot['truth'] | undefined;
      let belief: VehicleSnapshot['belief'] | undefined;
      return {
        // Both are expensive, and seldom needed for a large fleet; who needs one reads it many times.
        get truth() {
          truth ??= box.truth();
          return truth;
        },
        get belief() {
          belief ??= box.snapshot();
          return belief;
        },
        isConnected: this.boxWatch.session(planned) === 'ready',
        heldRecords: this.boxWatch.heldRecords(planned),
      };
    }
    const { car } = planned ?? {};
    return { truth: car?.truth() ?? {}, belief: {}, isConnected: car?.isAsleep === false, heldRecords: 0 };
  }

  observe(onFact: (fact: FactKind) => void, onMessage: (message: SeenMessage) => void): void {
    this.#onFact = onFact;
    this.#onMessage = onMessage;
  }

  watchFaults(told: (fault: WatchedFault) => void): void {
    this.#faultWatchers.push(told);
  }

  /** Probes boxes by their ids while a fault lasts. */
  protected readonly probe: ProbeBoxes = (boxIds, probeOf) =>
    this.boxWatch.probe(
      boxIds.flatMap((boxId) => this.vehiclesByBox.get(boxId) ?? []),
      probeOf,
    );

  /** Leaves half of the last write of a box in its flash, where the flash of this world can be torn. */
  protected abstract tearLastWrite(boxId: string): void;

  /** A fact that the world observes. */
  protected noteFact(fact: FactKind): void {
    this.#onFact(fact);
  }

  /** A message reached a queue: it goes into the recordings, and is a message of the run. */
  protected recordMessage(queue: string, stored: StoredAmqpMessage): void {
    const { name, vehicleId: givenId } = this.#messageHeads.read(stored.type, stored.body);
    const { messageId } = stored;
    const planned = this.#vehiclesById.get(givenId);
    // Shares one string for each id.
    const vehicleId = planned?.vehicleId === givenId ? planned.vehicleId : givenId;
    if (planned === undefined) this.#onFact({ kind: 'message', vehicleId, name, queue, messageId });
    else this.#onFact({ kind: 'message', vehicle: planned.number, vehicleId, name, queue, messageId });
    const { messages } = this.#recordings;
    if (messages === 'none' && !this.#needsBodies) return;
    const isWhole = messages === 'whole' || this.#needsBodies;
    const message = new RecordedMessage(queue, vehicleId, name, stored, isWhole);
    this.queues.record(message);
    if (this.#needsBodies) this.#onMessage(message);
  }

  /** Powers all boxes, and configures them as the scenario says. */
  protected async startBoxes(world: SimulatorWorld, traffic?: Traffic): Promise<void> {
    const boxPlans = this.vehicles.flatMap(({ boxPlan }) => (boxPlan === undefined ? [] : [boxPlan]));
    const faulty = {
      ...world,
      trace: this.#recordingTrace(world.trace),
      flash: this.flashFaults.wrap(world.flash, world.time),
    };
    this.fleet = await startFleet(faulty, boxPlans, { traffic, routes: this.#routes });
    for (const planned of this.vehicles) {
      planned.box = planned.boxId === undefined ? undefined : this.fleet.boxes.get(planned.boxId);
      if (planned.box === undefined) continue;
      this.boxWatch.watch(planned, planned.box);
      if (this.#recordings.truth) planned.box.keepHistory(this.#keptChanges);
    }
    await configureFleet({
      time: this.time,
      vehicles: this.vehicles,
      isReady: (planned) => this.boxWatch.session(planned) === 'ready',
      ask: (request) => this.clients.askAgain(request),
    });
  }

  protected async startCars(world: Parameters<typeof startMakerCloud>[0], traffic?: Traffic): Promise<void> {
    const cars = this.vehicles.flatMap(({ carPlan }) => (carPlan === undefined ? [] : [carPlan]));
    if (cars.length === 0) return;
    const { name, apiKey } = MAKER;
    const recorded = { ...world, http: this.notifications.wrap(world.http, this.time) };
    this.cloud = await startMakerCloud(recorded, {
      name,
      apiKey,
      cars,
      ...(traffic === undefined ? {} : { traffic }),
    });
    for (const planned of this.vehicles) {
      if (planned.carPlan === undefined) continue;
      planned.car = this.cloud.cars.get(planned.carPlan.carId);
      if (this.#recordings.truth) planned.car?.keepHistory(this.#keptChanges);
    }
  }

  /** How many changes of one vehicle are kept. */
  get #keptChanges(): number {
    const { pastChanges, pastChangesLeast, pastChangesMost } = testbedLimits;
    const share = Math.floor(pastChanges / Math.max(1, this.vehicles.length));
    return Math.min(Math.max(share, pastChangesLeast), pastChangesMost);
  }

  /** The simulator's trace, from which frames go into the recordings. */
  #recordingTrace(trace: Trace): Trace {
    const listeners = this.#frameListeners;
    const { frames, boxes } = this.#recordings;
    if (frames.size === 0 && !boxes && listeners === undefined) return trace;
    return {
      note: (event) => {
        trace.note(event);
        const { who, what, bytes, detail } = event;
        if (boxes && what === 'connect') this.#recordConnect(who.slice(4), Number(detail));
        if (bytes === undefined || !who.startsWith('box/')) return;
        const direction = what === 'frame-up' ? 'up' : what === 'frame-down' ? 'down' : undefined;
        if (direction === undefined) return;
        const boxId = who.slice(4);
        this.frames.record(boxId, direction, this.time.nowMs(), bytes);
        listeners?.passed(boxId, bytes);
      },
    };
  }

  #recordConnect(boxId: string, connection: number): void {
    const number = this.vehiclesByBox.get(boxId)?.number;
    if (number === undefined) return;
    this.boxHistory?.add(number, 'connects', { atMs: this.time.nowMs(), connection });
  }

  /** What faults act on: these parts of a world, and what all testbeds have. */
  protected targetsOf(
    parts: Pick<
      FaultTargets,
      'world' | 'service' | 'simProviders' | 'storeFaults' | 'crashPoints' | 'waitingMessages'
    >,
    store: () => Pick<Store, 'vehicles' | 'access'>,
  ): FaultTargets {
    return testbedTargets({
      ...parts,
      flashFaults: this.flashFaults,
      boxOf: (boxId) => this.vehiclesByBox.get(boxId)?.box,
      readFile: this.#readFile,
      makerCloud: () => this.cloud,
      probe: this.probe,
      clients: this.clients,
      store,
    });
  }

  /** Reports a fault, applies it, and reports its end once it is removed. */
  async #applyFault(
    name: string,
    settings: unknown,
    numbers: readonly number[],
    hasDuration: boolean,
    begin: () => ActiveFault | Promise<ActiveFault>,
  ): Promise<UndoFault> {
    const detail = typeof settings === 'string' ? settings : JSON.stringify(settings);
    const fact = { kind: 'fault', name, detail, vehicles: numbers } as const;
    const watch = new FaultWatch();
    for (const watching of this.#faultWatchers) watching(watch);
    this.#onFact({ ...fact, phase: hasDuration ? 'begins' : 'happens' });
    const begun = begin();
    // Synchronous faults are applied before the await.
    if (!(begun instanceof Promise)) watch.applied(begun);
    const fault = await begun;
    watch.applied(fault);
    let isOver = false;
    return async () => {
      if (isOver) return undefined;
      isOver = true;
      watch.removing();
      const missed = await fault.end();
      watch.removed();
      if (hasDuration) this.#onFact({ ...fact, phase: 'ends' });
      return missed;
    };
  }
}

function boxesOf(vehicles: readonly SimulatedVehicle[]) {
  const own = vehicles.flatMap(({ boxId, number }) => (boxId === undefined ? [] : [{ boxId, number }]));
  return { boxIds: own.map(({ boxId }) => boxId), vehicles: own.map(({ number }) => number) };
}

function isLasting(row: object | undefined): boolean {
  return row !== undefined && 'lasts' in row;
}
