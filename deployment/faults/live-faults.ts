import { printPlace } from '../../scenarios/language/document/place.ts';
import { readDocument } from '../../scenarios/language/document/read.ts';
import type { Step } from '../../scenarios/language/document/scenario.ts';
import type { WordTable } from '../../scenarios/language/document/word-row.ts';
import { BREAKS } from '../../scenarios/language/steps/breaks.ts';
import { WEATHER, type Weather } from '../../scenarios/language/steps/weather.ts';
import {
  type ActiveFault,
  immediate,
  type ProbeBoxes,
} from '../../scenarios/testbed/common/faults/active-fault.ts';
import { breakRunningPart, isPartBreak } from '../../scenarios/testbed/common/faults/break-words.ts';
import { BREAK_EFFECTS, type EffectRow } from '../../scenarios/testbed/common/faults/effect-rows.ts';
import {
  type FaultWorld,
  layeredTargets,
  type PartTargets,
  type WeatherTargets,
} from '../../scenarios/testbed/common/faults/fault-targets.ts';
import { StoreFaultLayers } from '../../scenarios/testbed/common/faults/store-faults.ts';
import { applyWeather, isOfExchange } from '../../scenarios/testbed/common/faults/weather-words.ts';
import { BoxLooks } from '../../scenarios/testbed/common/vehicles/box-looks.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import type {
  EndedFault,
  FaultAnswer,
  FaultInForce,
  FaultPort,
  FaultWord,
} from '../../simulator/control/fault-api.ts';
import { FaultyAmqpPublisher } from '../../world/amqp/faulty-amqp-publisher.ts';
import { RealNetworkFaults } from '../../world/network/real-network-faults.ts';
import { limits } from '../shared/limits.ts';
import { type Cuttable, NOTHING_TO_CUT } from './cuttable-peers.ts';
import { effectOf, effectRowOf } from './live-effects.ts';
import type { Disturbable, LiveFaultParts } from './live-fault-parts.ts';
import type { LiveLinks } from './live-links.ts';

/** Weather that is available without links: it acts on the box. */
const WITHOUT_LINK: ReadonlySet<string> = new Set(['coverage', 'signal', 'roaming', 'sim']);
type FaultAction = Extract<NonNullable<Step['does']>, { readonly kind: 'weather' | 'break' }>;

const NEITHER = 'Give weather or break, as a step of a scenario has it: {"weather": {"signal": 9}}.';
const NO_FILE =
  'A file with a recorded link belongs to a scenario. Here, name a built-in link: {"link": "train"}.';
const OTHER_PROCESS =
  'A backend cannot die in a process that it shares: start it in its own process, "boxtwin backend".';
const NO_BACKEND = 'The service behind these boxes is none of this process.';
const ELSEWHERE = 'the service is in another process';
const KEEPS_SESSIONS =
  'The broker keeps its sessions here. To lose them, end its process and delete its data.';
const STOPPED = 'The fleet is ending.';
const NO_ACCESS = 'PUT and DELETE of /service/clients do it.';

/** The part of a fault's summary that does not depend on its effect. */
type FaultSummary = Pick<FaultInForce, 'fault' | 'boxes' | 'sinceMs'>;

/** A fault that has begun, and the row that says when it has an effect. */
interface BegunFault {
  readonly summary: FaultSummary;
  readonly fault: ActiveFault;
  readonly row: EffectRow;
}

interface LastingFault extends BegunFault {
  readonly id: string;
  readonly untilMs?: number;
  readonly cancel: () => void;
}

/** Weather and breaks of the scenario language, by its own words, on a fleet that runs. */
export class LiveFaults implements FaultPort {
  readonly #parts: LiveFaultParts;
  readonly #active = new Map<string, LastingFault>();
  /** The last one first. */
  #ended: readonly EndedFault[] = [];
  #targets: (PartTargets & WeatherTargets) | undefined;
  #number = 0;
  #isStopped = false;

  constructor(parts: LiveFaultParts) {
    this.#parts = parts;
  }

  words(): Promise<readonly FaultWord[]> {
    return Promise.resolve(this.#words());
  }

  #words(): readonly FaultWord[] {
    const wordsOf = (of: string, table: WordTable, exampleOf: (name: string, example: unknown) => unknown) =>
      Object.entries(table).map(([name, row]): FaultWord => {
        const unavailable = row.worlds.real ? this.#unavailable(of, name) : row.worlds.because;
        return {
          of,
          name,
          does: row.does,
          example: exampleOf(name, row.example),
          isOfBoxes: of === 'weather' || of === 'box',
          lasts: row.lasts === true,
          ...(unavailable === undefined ? {} : { unavailable }),
        };
      });
    return [
      ...wordsOf('weather', WEATHER, (name, example) => ({ weather: { [name]: example } })),
      ...Object.entries(BREAKS).flatMap(([part, table]) =>
        wordsOf(part, table, (name, example) => ({ break: { [part]: { [name]: example } } })),
      ),
    ];
  }

  inForce(): Promise<readonly FaultInForce[]> {
    return Promise.all([...this.#active.values()].map(shownOf));
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
    const steps = [{ at: '0s', ...fault, ...(long === undefined ? {} : { for: long }) }];
    const document = { name: 'live', about: 'By hand.', fleet: [{ count: 1 }], steps };
    // The step is ours.
    const read = readDocument(document, (place) => printPlace(place.slice(2)));
    if (!read.ok) return wrong(read.faults.map(faultText).join('; '));
    const step = read.scenario.steps[0];
    const does = step?.does;
    if (does?.kind !== 'weather' && does?.kind !== 'break') return wrong(NEITHER);
    const [of, name] =
      does.kind === 'weather' ? ['weather', does.weather.name] : [does.break.part, does.break.name];
    const word = this.#words().find((one) => one.of === of && one.name === name);
    if (word?.unavailable !== undefined) return wrong(`${name} is not available here: ${word.unavailable}`);
    if (does.kind === 'weather' && does.weather.name === 'trace' && does.weather.settings.link === undefined)
      return wrong(NO_FILE);
    if (does.kind === 'weather' && isOfExchange(does.weather) && 'trouble' in this.#parts.exchange)
      return wrong(`That message cannot be disturbed here: ${this.#parts.exchange.trouble}`);
    if (this.#active.size >= limits.faultsInForce)
      return wrong(`${limits.faultsInForce} are active already. Remove one first.`);
    if (losesSessions(does)) return wrong(KEEPS_SESSIONS);
    const boxIds = word?.isOfBoxes === true ? (wanted ?? this.#parts.boxIds()) : [];
    await this.#mountLinks(does, boxIds);
    if (this.#isStopped) return wrong(STOPPED);
    const sinceMs = this.#parts.time.nowMs();
    const begun = await this.#begin(does, boxIds, step?.forMs !== undefined);
    if (typeof begun === 'string') return wrong(begun);
    const one = { fault: begun, row: effectRowOf(does), summary: { fault, boxes: boxIds, sinceMs } };
    if (word?.lasts !== true || (isRestart(does) && step?.forMs === undefined))
      return { kind: 'happened', fault: await this.#end(one) };
    return { kind: 'in-force', fault: await shownOf(this.#keep(one, step?.forMs)) };
  }

  /** Links pass through a proxy only once they are to be disturbed. */
  async #mountLinks(does: FaultAction, boxIds: readonly string[]): Promise<void> {
    const { links } = this.#parts;
    if ('trouble' in links) return;
    if (does.kind === 'break') {
      if (does.break.part === 'broker') await links.mount(this.#parts.boxIds());
    } else if (disturbsLinks(does.weather)) await links.mount(boxIds);
  }

  /** Returns why it is not available, if so. */
  async #begin(
    does: FaultAction,
    boxIds: readonly string[],
    isTimed: boolean,
  ): Promise<ActiveFault | string> {
    const targets = this.#faultTargets();
    if (does.kind === 'weather') return applyWeather(targets, boxIds, does.weather);
    const { break: broken } = does;
    if (broken.part === 'backend' && broken.name === 'cut') {
      const { serviceMqtt = NOTHING_TO_CUT } = this.#parts;
      const before = serviceMqtt.metCount;
      serviceMqtt.cut();
      return immediate(serviceMqtt.metCount - before, BREAK_EFFECTS.backend.cut.missed);
    }
    if (!isPartBreak(broken)) return `${broken.name} is not available here.`;
    return breakRunningPart(targets, { boxIds, isTimed }, broken);
  }

  async lift(id: string): Promise<EndedFault | undefined> {
    const active = this.#active.get(id);
    if (active === undefined) return undefined;
    this.#active.delete(id);
    active.cancel();
    return this.#end(active, id);
  }

  /** Ends a fault, and keeps its summary. */
  async #end({ fault, row, summary }: BegunFault, id?: string): Promise<EndedFault> {
    const missed = await fault.end();
    const ended: EndedFault = {
      ...(id === undefined ? {} : { id }),
      ...summary,
      endedMs: this.#parts.time.nowMs(),
      ...effectOf(row, await fault.effect()),
      ...(missed === undefined ? {} : { missed }),
    };
    this.#ended = [ended, ...this.#ended].slice(0, limits.faultsEnded);
    return ended;
  }

  /** Ends all, and begins none any more; one whose part has ended does not keep the others active. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled([...this.#active.keys()].map((id) => this.lift(id)));
  }

  #keep(begun: BegunFault, forMs: number | undefined): LastingFault {
    const { time } = this.#parts;
    this.#number += 1;
    const id = String(this.#number);
    const { sinceMs } = begun.summary;
    const cancel =
      forMs === undefined
        ? () => undefined
        : time.alarm(sinceMs + forMs, () => {
            // What it acts on may have ended.
            this.lift(id).catch(() => undefined);
          });
    const active = { ...begun, id, cancel, ...(forMs === undefined ? {} : { untilMs: sinceMs + forMs }) };
    this.#active.set(id, active);
    return active;
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
    if (of === 'box' && name === 'card') return 'It would not be known with which card the vehicle ends.';
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
      mqttBroker: brokerOf(() => (hasLinks ? links.proxy : undefined), serviceMqtt),
      amqpBroker: 'trouble' in exchange ? new FaultyAmqpPublisher(time, NOTHING_TO_CUT) : exchange,
    };
    this.#targets = layeredTargets({
      world,
      boxOf,
      flashFaults,
      simProviders: sims(),
      makerCloud: cloud,
      storeFaults: 'trouble' in store ? new StoreFaultLayers() : store,
      readFile: () => undefined,
      probe: liveLooks(boxOf),
      waitingMessages,
    });
    return this.#targets;
  }
}

/** The broker as boxes and service see it: while it is away, both are cut off. */
function brokerOf(
  proxy: () => LiveLinks['proxy'],
  serviceMqtt: Cuttable = NOTHING_TO_CUT,
): FaultWorld['mqttBroker'] {
  return {
    get isDown() {
      return proxy()?.isDown === true;
    },
    get metCount() {
      return (proxy()?.metCount ?? 0) + serviceMqtt.metCount;
    },
    hidesSessions: true,
    setDown(isDown) {
      proxy()?.setDown(isDown);
      serviceMqtt.setDown(isDown);
    },
    restart() {
      proxy()?.cut(undefined);
      serviceMqtt.cut();
    },
  };
}

/** One as it is shown while it is in force. */
async function shownOf({ id, untilMs, summary, fault, row }: LastingFault): Promise<FaultInForce> {
  const until = untilMs === undefined ? {} : { untilMs };
  return { id, ...summary, ...until, ...effectOf(row, await fault.effect()) };
}

/** Poor coverage also slows links; the other words of `WITHOUT_LINK` act on the box alone. */
function disturbsLinks(weather: Weather): boolean {
  if (weather.name === 'coverage') return weather.settings === 'poor';
  return !WITHOUT_LINK.has(weather.name) && !isOfExchange(weather);
}

function losesSessions(does: FaultAction): boolean {
  if (does.kind !== 'break' || does.break.part !== 'broker' || does.break.name !== 'restart') return false;
  return does.break.settings.sessions === 'lost';
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
  const where = place.slice(2).join('.');
  return `${message.includes(where) ? '' : `${where}: `}${message}${hint === undefined ? '' : ` ${hint}`}`;
}

/** Observes the boxes of a running fleet. A box is watched only while it has an observer. */
function liveLooks(boxOf: (boxId: string) => FleetBox | undefined): ProbeBoxes {
  const looks = new BoxLooks<string>();
  return (boxIds, probeOf) => {
    const there = boxIds.filter((boxId) => boxOf(boxId) !== undefined);
    const look = looks.begin(there, probeOf, (boxId) => boxOf(boxId)?.firmware());
    for (const boxId of there) {
      const box = boxOf(boxId);
      if (box === undefined || box.watcher !== undefined) continue;
      const nothing = (): void => undefined;
      box.watcher = { stepped: (state) => looks.stepped(boxId, state), acted: nothing, moved: nothing };
    }
    return {
      isMet: look.isMet,
      stop() {
        look.stop();
        for (const boxId of there) {
          const box = looks.has(boxId) ? undefined : boxOf(boxId);
          if (box !== undefined) box.watcher = undefined;
        }
      },
    };
  };
}
