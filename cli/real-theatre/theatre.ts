import { CrashPoints } from '../../scenarios/crash-points.ts';
import type { Scenario } from '../../scenarios/language/scenario.ts';
import type { Books } from '../../scenarios/run/books.ts';
import type { Evidence } from '../../scenarios/run/evidence.ts';
import type { Theatre } from '../../scenarios/run/theatre.ts';
import { Clients } from '../../scenarios/theatre/clients.ts';
import { evidenceOf } from '../../scenarios/theatre/evidence.ts';
import { Lookout } from '../../scenarios/theatre/lookout.ts';
import { BACKEND, MAKER, SIM_KEYS } from '../../scenarios/theatre/names.ts';
import { Playhouse } from '../../scenarios/theatre/playhouse.ts';
import { populate } from '../../scenarios/theatre/populate.ts';
import { makeLayers, type Scene } from '../../scenarios/theatre/scene.ts';
import { StoreFaults } from '../../scenarios/theatre/store-faults.ts';
import { SIM_PROVIDER_NAMES } from '../../simulator/sim-provider/names.ts';
import { type SimProviders, simProviders } from '../../simulator/sim-provider/providers.ts';
import type { Random } from '../../world/random.ts';
import { realConsumer } from '../../world/real-consumer.ts';
import type { Time } from '../../world/time.ts';
import { type HttpServer, serveHttp } from '../http-server.ts';
import { comeUp } from './come-up.ts';
import { type Ground, openGround } from './ground.ts';
import { RealLevels } from './levels.ts';
import { limits } from './limits.ts';
import { RealOffice } from './office.ts';
import { QueueTap } from './queue-tap.ts';

export interface RealTheatreOptions {
  /** Reads a file beside the scenario, for weather that plays a recorded link; undefined: there is none. */
  readonly readFile?: (file: string) => string | undefined;
  /** What is written down while it goes on. */
  readonly books: Books;
}

/** The client id of the service at the MQTT broker. */
const CLIENT_ID = 'backend-theatre';
/** On the answer of the gateway before a service that is away. */
const AWAY = 'x-service-away';

/** Opens brokers, servers and a database for it; nothing happens before `raise`. Rejects where no port is to be had. */
export async function openRealTheatre(scenario: Scenario, options: RealTheatreOptions): Promise<Theatre> {
  let house: Sockets | undefined;
  const ground = await openGround({ seed: scenario.seed, secretOf: (boxId) => house?.secretOf(boxId) });
  try {
    const served = await serve(ground, () => house);
    house = new Sockets(scenario, options, ground, served);
    return house;
  } catch (error) {
    await ground.close();
    throw error;
  }
}

interface Served {
  readonly serviceUrl: string;
  readonly simsUrl: string;
  readonly makerUrl: string;
}

async function serve(ground: Ground, house: () => Sockets | undefined): Promise<Served> {
  const listen = async (answer: (house: Sockets, request: Request) => Response | Promise<Response>) => {
    const server: HttpServer = await serveHttp(0, (request) => {
      const there = house();
      return there === undefined ? away() : answer(there, request);
    });
    await ground.endings.add(() => server.close());
    return `http://127.0.0.1:${server.port}`;
  };
  return {
    serviceUrl: await listen((there, request) => there.fetch(request)),
    simsUrl: await listen((there, request) => there.sims.app.fetch(request)),
    makerUrl: await listen((there, request) => there.askMaker(request)),
  };
}

function away(): Response {
  return new Response(null, { status: 503, headers: { [AWAY]: 'yes' } });
}

/** The theatre over sockets, with the wall clock. */
class Sockets extends Playhouse {
  readonly world = 'real';
  readonly time: Time;
  readonly random: Random;
  readonly evidence: Evidence;
  readonly sims: SimProviders;
  protected readonly clients: Clients;
  protected readonly scene: Scene;
  protected readonly lookout: Lookout;
  readonly #ground: Ground;
  readonly #office: RealOffice;
  readonly #levels: RealLevels;
  readonly #tap: QueueTap;

  constructor(scenario: Scenario, options: RealTheatreOptions, ground: Ground, served: Served) {
    super(scenario, { seed: scenario.seed, books: options.books });
    const { world, store, mqtt, amqp } = ground;
    this.#ground = ground;
    this.time = world.time;
    this.random = world.random;
    this.lookout = new Lookout(this.time, (fact) => this.tell(fact), this.clocks);
    const storeFaults = new StoreFaults();
    const points = new CrashPoints((taken) => amqp.exchange.whenTaken(taken));
    this.#office = new RealOffice({
      store,
      world: points.world(world),
      settings: settingsOf(
        served,
        amqp.accounts,
        this.players.some(({ carPlan }) => carPlan !== undefined),
      ),
      guard: (guarded) => points.store(storeFaults.guard(guarded, this.time)),
      severLines: () => {
        mqtt.proxy.cut(CLIENT_ID);
        amqp.exchange.cut();
      },
      changed: (state, reason) => this.tell({ kind: 'service', state, reason }),
    });
    this.clients = new Clients(scenario.clients, this.time, send, served.serviceUrl);
    this.#levels = new RealLevels(store, mqtt.proxy, this.players.length);
    this.sims = simProviders({ time: this.time, fleet: () => this.fleet, apiKeys: SIM_KEYS });
    const faults = {
      weather: mqtt.weather,
      broker: mqtt.broker,
      exchangeBroker: amqp.exchange,
    };
    const boxOf = (boxId: string) => this.byBox.get(boxId)?.box;
    const cloud = () => this.cloud;
    this.scene = {
      world: faults,
      office: this.#office,
      sims: this.sims,
      store: storeFaults,
      points,
      boxOf,
      readFile: options.readFile ?? (() => undefined),
      cloud,
      layers: makeLayers(faults, boxOf, this.sims, cloud),
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
      pagesOf: (boxId) => world.flash.load(boxId),
      inquire: (asked) => this.clients.ask(asked),
    });
    this.#tap = new QueueTap(
      realConsumer({ url: amqp.readerUrl }),
      this.time,
      async () => (await this.evidence.queues()).map(({ name }) => name),
      (queue, message) => this.arrived(queue, message),
    );
  }

  secretOf(boxId: string): string | undefined {
    return this.byBox.get(boxId)?.boxPlan?.secret;
  }

  /** As a gateway before the service: it tells where the service is away. */
  async fetch(request: Request): Promise<Response> {
    return (await this.#office.fetch(request)) ?? away();
  }

  askMaker(request: Request): Response | Promise<Response> {
    return this.cloud?.app.fetch(request) ?? away();
  }

  async raise(): Promise<void> {
    const { world, store, endings } = this.#ground;
    await this.clients.register(store.access, world);
    await populate(this.players, store.vehicles, world);
    await this.startCloud(world);
    await endings.add(() => this.cloud?.stop());
    await endings.add(() => this.#office.end('the run is over'));
    await this.#office.start('the run begins');
    const reading = this.#tap.begin();
    reading.catch(() => undefined);
    await endings.add(() => this.#tap.close());
    await endings.add(() => this.fleet?.stop());
    await this.bringUp(world);
    await comeUp((request) => this.#office.fetch(request), this.time);
    this.#levels.begin(this.time);
  }

  close(): Promise<void> {
    // What its closing does is no part of the run.
    this.watch(
      () => undefined,
      () => undefined,
    );
    return this.#ground.close();
  }
}

/** Sends one request over a socket of its own or a kept one; undefined: nobody is there. */
async function send(request: Request): Promise<Response | undefined> {
  try {
    const response = await fetch(request);
    return response.headers.has(AWAY) ? undefined : response;
  } catch {
    return undefined;
  }
}

function settingsOf(
  { serviceUrl, simsUrl, makerUrl }: Served,
  accounts: Ground['amqp']['accounts'],
  hasMaker: boolean,
): ConstructorParameters<typeof RealOffice>[0]['settings'] {
  return {
    baseUrl: serviceUrl,
    mqtt: { clientId: CLIENT_ID, ...BACKEND },
    answerTimeoutMs: limits.answerTimeoutMs,
    requestsPerMinute: limits.requestsPerMinute,
    simProviders: Object.fromEntries(
      SIM_PROVIDER_NAMES.map((name) => [name, { baseUrl: `${simsUrl}/${name}`, apiKey: SIM_KEYS[name] }]),
    ),
    accounts,
    makers: hasMaker ? { [MAKER.name]: { baseUrl: makerUrl, apiKey: MAKER.apiKey } } : {},
  };
}
