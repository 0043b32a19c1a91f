import { readDocument } from '../../scenarios/language/document/read.ts';
import type { Step } from '../../scenarios/language/document/scenario.ts';
import type { WordTable } from '../../scenarios/language/document/word-row.ts';
import { BREAKS } from '../../scenarios/language/steps/breaks.ts';
import { WEATHER } from '../../scenarios/language/steps/weather.ts';
import { breakRunningPart, isPartBreak } from '../../scenarios/testbed/common/faults/break-words.ts';
import {
  type FaultWorld,
  makeFaultLayers,
  type PartTargets,
  type WeatherTargets,
} from '../../scenarios/testbed/common/faults/fault-targets.ts';
import { StoreFaultLayers } from '../../scenarios/testbed/common/faults/store-faults.ts';
import { type AnyLaid, atOnce } from '../../scenarios/testbed/common/faults/struck.ts';
import { BREAK_STRUCK, type StruckRow } from '../../scenarios/testbed/common/faults/struck-rows.ts';
import { applyWeather, isOfExchange } from '../../scenarios/testbed/common/faults/weather-words.ts';
import type {
  EndedFault,
  FaultAnswer,
  FaultInForce,
  FaultPort,
  FaultWord,
} from '../../simulator/control/fault-face.ts';
import { FaultyAmqpPublisher } from '../../world/amqp/faulty-amqp-publisher.ts';
import type { RealProxy } from '../../world/network/real-proxy.ts';
import { RealNetworkFaults } from '../../world/network-faults/real-network-faults.ts';
import { limits } from '../limits.ts';
import { type Cuttable, NOTHING_TO_CUT } from './cuttable-peers.ts';
import type { Disturbable, LiveFaultParts } from './live-fault-parts.ts';
import { liveLooks } from './live-looks.ts';
import { strikesOf, struckRowOf } from './live-strikes.ts';

/** Weather that needs no link: it is done to the box. */
const WITHOUT_LINK: ReadonlySet<string> = new Set(['coverage', 'signal', 'roaming', 'sim']);
type FaultAction = Extract<NonNullable<Step['does']>, { readonly kind: 'weather' | 'break' }>;

const NEITHER = 'Give weather or break, as a step of a scenario has it: {"weather": {"signal": 9}}.';
const NO_FILE =
  'A file with a recorded link lies beside a scenario. Here, name one that is built in: {"link": "train"}.';
const OTHER_PROCESS =
  'A backend cannot die in a process that it shares: start it as one of its own, "boxtwin backend".';
const NO_BACKEND = 'The service behind these boxes is none of this process.';
const ELSEWHERE = 'the service is in another process';
const NO_ACCESS = 'PUT and DELETE of /service/clients do it.';

/** What is told of a fault whatever it meets. */
type Told = Pick<FaultInForce, 'fault' | 'boxes' | 'sinceMs'>;

/** One that was begun, and the row that says when it has struck. */
interface Begun {
  readonly told: Told;
  readonly laid: AnyLaid;
  readonly row: StruckRow;
}

interface Standing extends Begun {
  readonly id: string;
  readonly untilMs?: number;
  readonly cancel: () => void;
}

/** Weather and breaks of the scenario language, by its own words, on a fleet that runs. */
export class LiveFaults implements FaultPort {
  readonly #parts: LiveFaultParts;
  readonly #standing = new Map<string, Standing>();
  /** The last one first. */
  #ended: readonly EndedFault[] = [];
  #targets: (PartTargets & WeatherTargets) | undefined;
  #number = 0;

  constructor(parts: LiveFaultParts) {
    this.#parts = parts;
  }

  words(): Promise<readonly FaultWord[]> {
    return Promise.resolve(this.#words());
  }

  #words(): readonly FaultWord[] {
    const told = (of: string, table: WordTable, exampleOf: (name: string, example: unknown) => unknown) =>
      Object.entries(table).map(([name, row]): FaultWord => {
        const unavailable = row.worlds.real ? this.#unavailable(of, name) : row.worlds.because;
        return {
          ...{ of, name, does: row.does, example: exampleOf(name, row.example) },
          ...{ isOfBoxes: of === 'weather' || of === 'box', lasts: row.lasts === true },
          ...(unavailable === undefined ? {} : { unavailable }),
        };
      });
    return [
      ...told('weather', WEATHER, (name, example) => ({ weather: { [name]: example } })),
      ...Object.entries(BREAKS).flatMap(([part, table]) =>
        told(part, table, (name, example) => ({ break: { [part]: { [name]: example } } })),
      ),
    ];
  }

  inForce(): Promise<readonly FaultInForce[]> {
    return Promise.all([...this.#standing.values()].map(shownOf));
  }

  ended(): Promise<readonly EndedFault[]> {
    return Promise.resolve(this.#ended);
  }

  async begin(
    wanted: readonly string[] | undefined,
    wish: Readonly<Record<string, unknown>>,
  ): Promise<FaultAnswer> {
    const { for: long, ...fault } = wish;
    if (!('weather' in fault) && !('break' in fault)) return wrong(NEITHER);
    const read = readDocument({
      ...{ name: 'live', about: 'By hand.', fleet: [{ count: 1 }] },
      steps: [{ at: '0s', ...fault, ...(long === undefined ? {} : { for: long }) }],
    });
    if (!read.ok) return wrong(read.faults.map(faultText).join('; '));
    const step = read.scenario.steps[0];
    const does = step?.does;
    if (does?.kind !== 'weather' && does?.kind !== 'break') return wrong(NEITHER);
    const [of, name] =
      does.kind === 'weather' ? ['weather', does.weather.name] : [does.break.part, does.break.name];
    const word = this.#words().find((one) => one.of === of && one.name === name);
    if (word?.unavailable !== undefined) return wrong(`${name} cannot be had here: ${word.unavailable}`);
    if (does.kind === 'weather' && does.weather.name === 'trace' && does.weather.settings.link === undefined)
      return wrong(NO_FILE);
    if (does.kind === 'weather' && isOfExchange(does.weather) && 'trouble' in this.#parts.exchange)
      return wrong(`That message cannot be disturbed here: ${this.#parts.exchange.trouble}`);
    if (this.#standing.size >= limits.faultsInForce)
      return wrong(`${limits.faultsInForce} are in force already. Lift one first.`);
    const boxIds = word?.isOfBoxes === true ? (wanted ?? this.#parts.boxIds()) : [];
    const sinceMs = this.#parts.time.nowMs();
    const begun = await this.#begin(does, boxIds, step?.forMs !== undefined);
    if (typeof begun === 'string') return wrong(begun);
    const one = { laid: begun, row: struckRowOf(does), told: { fault, boxes: boxIds, sinceMs } };
    if (word?.lasts !== true || (isRestart(does) && step?.forMs === undefined))
      return { kind: 'happened', fault: await this.#end(one) };
    return { kind: 'in-force', fault: await shownOf(this.#stand(one, step?.forMs)) };
  }

  /** Returns why it cannot be had, if so. */
  async #begin(does: FaultAction, boxIds: readonly string[], isTimed: boolean): Promise<AnyLaid | string> {
    const targets = this.#faultTargets();
    if (does.kind === 'weather') return applyWeather(targets, boxIds, does.weather);
    const { break: broken } = does;
    if (broken.part === 'backend' && broken.name === 'cut') {
      const { serviceMqtt = NOTHING_TO_CUT } = this.#parts;
      const before = serviceMqtt.metCount;
      serviceMqtt.cut();
      return atOnce(serviceMqtt.metCount - before, BREAK_STRUCK.backend.cut.missed);
    }
    if (!isPartBreak(broken)) return `${broken.name} cannot be had here.`;
    if (broken.part === 'broker' && broken.name === 'restart' && broken.settings.sessions === 'lost')
      return 'The broker keeps its sessions here. To lose them, end its process and delete its data.';
    return breakRunningPart(targets, { boxIds, isTimed }, broken);
  }

  async lift(id: string): Promise<EndedFault | undefined> {
    const standing = this.#standing.get(id);
    if (standing === undefined) return undefined;
    this.#standing.delete(id);
    standing.cancel();
    return this.#end(standing, id);
  }

  /** Takes it back, and keeps what is told of it. */
  async #end({ laid, row, told }: Begun, id?: string): Promise<EndedFault> {
    const missed = await laid.end();
    const ended: EndedFault = {
      ...(id === undefined ? {} : { id }),
      ...told,
      endedMs: this.#parts.time.nowMs(),
      ...strikesOf(row, await laid.met()),
      ...(missed === undefined ? {} : { missed }),
    };
    this.#ended = [ended, ...this.#ended].slice(0, limits.faultsEnded);
    return ended;
  }

  /** Lifts all; one whose part has ended keeps no other in force. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#standing.keys()].map((id) => this.lift(id)));
  }

  #stand(begun: Begun, forMs: number | undefined): Standing {
    const { time } = this.#parts;
    this.#number += 1;
    const id = String(this.#number);
    const { sinceMs } = begun.told;
    const cancel =
      forMs === undefined
        ? () => undefined
        : time.alarm(sinceMs + forMs, () => {
            // What it acts on may have ended.
            this.lift(id).catch(() => undefined);
          });
    const standing = { ...begun, id, cancel, ...(forMs === undefined ? {} : { untilMs: sinceMs + forMs }) };
    this.#standing.set(id, standing);
    return standing;
  }

  #unavailable(of: string, name: string): string | undefined {
    const { links, exchange, store, serviceMqtt } = this.#parts;
    if (of === 'backend' && name !== 'cut') return OTHER_PROCESS;
    if (of === 'backend') return serviceMqtt === undefined ? NO_BACKEND : undefined;
    if (of === 'access') return NO_ACCESS;
    if (of === 'weather' && !WITHOUT_LINK.has(name)) return troubleOf(links);
    if (of === 'broker') return troubleOf(links);
    if (of === 'exchange') return troubleOf(exchange);
    if (of === 'store') return troubleOf(store);
    if (of === 'box' && name === 'card')
      return 'Nobody would know by which card the vehicle is known afterwards.';
    if (of === 'maker' && this.#parts.cloud() === undefined)
      return 'No vehicle of this fleet has its maker’s telematics.';
    return undefined;
  }

  /** What is not there here has a stand-in that nothing is connected to: its words are `unavailable`. */
  #faultTargets(): PartTargets & WeatherTargets {
    if (this.#targets !== undefined) return this.#targets;
    const { time, boxOf, sims, cloud, links, exchange, store, flashFaults, serviceMqtt } = this.#parts;
    const { waitingMessages = () => Promise.reject(new Error(ELSEWHERE)) } = this.#parts;
    const hasLinks = !('trouble' in links);
    const world: FaultWorld = {
      networkFaults: hasLinks ? links.networkFaults : new RealNetworkFaults(() => undefined),
      mqttBroker: brokerOf(hasLinks ? links.proxy : undefined, serviceMqtt),
      amqpBroker: 'trouble' in exchange ? new FaultyAmqpPublisher(time, NOTHING_TO_CUT) : exchange,
    };
    this.#targets = {
      ...{ world, boxOf, flashFaults, simProviders: sims(), makerCloud: cloud },
      storeFaults: 'trouble' in store ? new StoreFaultLayers() : store,
      readFile: () => undefined,
      probe: liveLooks(boxOf),
      waitingMessages,
      layers: makeFaultLayers(world, boxOf, sims(), cloud),
    };
    return this.#targets;
  }
}

/** The broker as boxes and service see it: while it is away, both are cut off. */
function brokerOf(
  proxy: RealProxy | undefined,
  serviceMqtt: Cuttable = NOTHING_TO_CUT,
): FaultWorld['mqttBroker'] {
  return {
    get isDown() {
      return proxy?.isDown === true;
    },
    get metCount() {
      return (proxy?.metCount ?? 0) + serviceMqtt.metCount;
    },
    hidesSessions: true,
    setDown(isDown) {
      proxy?.setDown(isDown);
      serviceMqtt.setDown(isDown);
    },
    restart() {
      proxy?.cut(undefined);
      serviceMqtt.cut();
    },
  };
}

/** One as it is shown while it is in force. */
async function shownOf({ id, untilMs, told, laid, row }: Standing): Promise<FaultInForce> {
  const until = untilMs === undefined ? {} : { untilMs };
  return { id, ...told, ...until, ...strikesOf(row, await laid.met()) };
}

/** Where nothing says how long it is away, a part that restarts is there again at once. */
function isRestart(does: FaultAction): boolean {
  return does.kind === 'break' && does.break.part === 'broker' && does.break.name === 'restart';
}

function troubleOf(part: Disturbable<object>): string | undefined {
  return 'trouble' in part ? String(part.trouble) : undefined;
}

function wrong(detail: string): FaultAnswer {
  return { kind: 'wrong', detail };
}

function faultText({
  place,
  message,
  hint,
}: {
  readonly place: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string;
}): string {
  // The step is ours.
  const where = place.slice(2).join('.');
  const text = message.replaceAll('steps[0].', '');
  return `${text.includes(where) ? '' : `${where}: `}${text}${hint === undefined ? '' : ` ${hint}`}`;
}
