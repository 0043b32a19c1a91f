import { decodePayload } from '../../../../protocol/codec/frame.ts';
import { MESSAGE_KINDS as FRAME_KINDS } from '../../../../protocol/codec/kinds.ts';
import { type CellularTrace, readCellularTrace } from '../../../../world/network-faults/cellular-trace.ts';
import type {
  Direction,
  LayerName,
  LayerSettings,
  LinkCounts,
  PacketFaultAction,
  PassingPacket,
} from '../../../../world/network-faults/conditions.ts';
import { POOR_COVERAGE } from '../../../../world/network-faults/network-faults.ts';
import { SharedCell } from '../../../../world/network-faults/shared-cell.ts';
import { MESSAGE_FRAMES } from '../../../language/steps/message-frames.ts';
import type { MessageKind, Weather, WeatherName } from '../../../language/steps/weather.ts';
import { measuresSignal, usesNetwork } from './box-probes.ts';
import { builtInLink } from './built-in-links.ts';
import type { Coverage, WeatherTargets } from './fault-targets.ts';
import { always, atOnce, counted, isNothing, type Laid, laid, type Met, probed, sumOf } from './struck.ts';
import { WEATHER_STRUCK as STRUCK } from './struck-rows.ts';

/** Messages of the exchange, which pass no link of a box. */
type AmqpMessageKind = Extract<MessageKind, 'amqp-confirm' | 'amqp-publish'>;

type PickedMessage = Exclude<MessageKind, AmqpMessageKind>;
type FrameMessage = keyof typeof MESSAGE_FRAMES;

/** In which direction PUBACKs go that can be picked: the other messages are frames. */
const PUBACKS: Readonly<Record<Exclude<PickedMessage, FrameMessage>, Direction>> = {
  puback: 'down',
  'box-puback': 'up',
};

/** By which a message is known on its way. */
function matcherOf(message: PickedMessage): (passing: PassingPacket) => boolean {
  if (message === 'puback' || message === 'box-puback')
    return ({ direction, kind }) => direction === PUBACKS[message] && kind === 'PUBACK';
  const picked = FRAME_KINDS.filter(({ name }) => MESSAGE_FRAMES[message].some((one) => one === name));
  return ({ direction, kind, payload }) => {
    const names = picked.flatMap((row) => (row.direction === direction ? [row.name] : []));
    if (kind !== 'PUBLISH' || names.length === 0) return false;
    return decodePayload(payload).frames.some(({ frame }) => names.includes(frame.message.kind));
  };
}

/** Whether it befalls messages of the exchange: then it is of no box, and disturbs what all of them share. */
export function isOfExchange({ settings }: Weather): boolean {
  if (typeof settings !== 'object' || !('message' in settings)) return false;
  return settings.message === 'amqp-confirm' || settings.message === 'amqp-publish';
}

/** Lays it over these boxes. */
type ApplyWeather<Name extends WeatherName> = (
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  settings: Extract<Weather, { readonly name: Name }>['settings'],
) => Laid;

function undoAll(undos: readonly (() => unknown)[]): () => void {
  return () => {
    for (const end of undos) end();
  };
}

/** How often the links of these boxes have met that. */
function metOnLinks(
  { world }: Pick<WeatherTargets, 'world'>,
  boxIds: readonly string[],
  what: keyof LinkCounts,
): () => number {
  return sumOf(boxIds.map((boxId) => () => world.networkFaults.countsOf(boxId)[what]));
}

/** What a layer has to meet on a link, so that it has struck; the others meet packets. */
const METS: Readonly<Partial<Record<LayerName, keyof LinkCounts>>> = {
  reset_peer: 'resets',
  slow_close: 'slowCloses',
  limit_data: 'overLimit',
};

/** One layer of the network's weather over each box; the world sees to what overlaps. */
function addLayer<Name extends LayerName>(
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  name: Name,
  setting: Omit<LayerSettings[Name], 'sinceMs'>,
): Laid {
  const { networkFaults } = weatherTargets.world;
  return counted(metOnLinks(weatherTargets, boxIds, METS[name] ?? 'packets'), STRUCK[name].missed, () =>
    undoAll(boxIds.map((boxId) => networkFaults.apply(name, boxId, setting))),
  );
}

/** To how many boxes it happened; undefined: of that one it is not known, and if of none, `unknown` says why. */
function howMany(happened: readonly (boolean | undefined)[], unknown: string): Met {
  const count = happened.filter((one) => one === true).length;
  return count === 0 && happened.includes(undefined) ? { unknown } : count;
}

const neverCame = (message: MessageKind): string => `no ${message} came while it lasted`;

/** The next messages of a kind, of each box. */
function pickMessages(
  { world }: WeatherTargets,
  boxIds: readonly string[],
  message: PickedMessage,
  count: number,
  act: PacketFaultAction,
): Laid {
  let struck = 0;
  const isSuch = matcherOf(message);
  const matches = (passing: PassingPacket): boolean => {
    const isOfKind = isSuch(passing);
    if (isOfKind) struck += 1;
    return isOfKind;
  };
  const undo = undoAll(
    boxIds.map((boxId) => world.networkFaults.addPacketFault(boxId, { matches, count, act })),
  );
  return laid(() => struck, neverCame(message), undo);
}

/** The next messages of a kind are overtaken; one that came and that nothing has passed was not. */
function overtakeMessages(
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  message: PickedMessage,
  count: number,
  withinMs: number,
): Laid {
  let struck = 0;
  const overtaken = (): void => {
    struck += 1;
  };
  const picked = pickMessages(weatherTargets, boxIds, message, count, {
    ...{ kind: 'reorder', withinMs, overtaken },
  });
  return {
    met: () => struck,
    end() {
      const missed = picked.end();
      return (
        missed ?? (struck > 0 ? undefined : `nothing was sent behind a ${message} in time to overtake it`)
      );
    },
  };
}

/** Messages of the exchange. `begin` gets what is to be called whenever one is struck, and returns what takes the rest back. */
function pickAmqp(message: MessageKind, begin: (struck: () => void) => () => unknown): Laid {
  let struck = 0;
  const undo = begin(() => {
    struck += 1;
  });
  return laid(() => struck, neverCame(message), undo);
}

export const WEATHER_WORDS: { readonly [Name in WeatherName]: ApplyWeather<Name> } = {
  coverage: (weatherTargets, boxIds, coverage) => COVERAGES[coverage](weatherTargets, boxIds),
  signal: (weatherTargets, boxIds, csq) => addSignal(weatherTargets, boxIds, csq),
  cut: ({ world }, boxIds) =>
    atOnce(boxIds.filter((boxId) => world.networkFaults.cut(boxId) > 0).length, STRUCK.cut.missed),
  half_open: (weatherTargets, boxIds) => addLayer(weatherTargets, boxIds, 'half_open', {}),
  stall: (weatherTargets, boxIds) => addLayer(weatherTargets, boxIds, 'stall', {}),
  latency: (weatherTargets, boxIds, { base, jitter }) =>
    addLayer(weatherTargets, boxIds, 'latency', { delayMs: base, jitterMs: jitter }),
  bandwidth: (weatherTargets, boxIds, { up, down }) =>
    addLayer(weatherTargets, boxIds, 'bandwidth', {
      ...(up === undefined ? {} : { upBitsPerS: up }),
      ...(down === undefined ? {} : { downBitsPerS: down }),
    }),
  cell: (weatherTargets, boxIds, settings) =>
    addLayer(weatherTargets, boxIds, 'cell', { cell: cellOf(weatherTargets, settings) }),
  reset_peer: (weatherTargets, boxIds, { after }) =>
    addLayer(weatherTargets, boxIds, 'reset_peer', { afterMs: after }),
  slow_close: (weatherTargets, boxIds, { delay }) =>
    addLayer(weatherTargets, boxIds, 'slow_close', { delayMs: delay }),
  limit_data: (weatherTargets, boxIds, { after }) =>
    addLayer(weatherTargets, boxIds, 'limit_data', { bytes: after }),
  session_lost: ({ world }, boxIds) =>
    atOnce(
      howMany(
        boxIds.map((boxId) => world.networkFaults.loseSession(boxId)),
        STRUCK.session_lost.notOverSockets,
      ),
      STRUCK.session_lost.missed,
    ),
  take_over: ({ world }, boxIds) =>
    atOnce(boxIds.filter((boxId) => world.networkFaults.takeOver(boxId)).length, STRUCK.take_over.missed),
  roaming: ({ layers }, boxIds, { gap }) => always(layers.abroad.add(boxIds, gap)),
  sim: ({ layers, boxOf }, boxIds, state) => {
    const others = boxIds.filter((boxId) => boxOf(boxId)?.sim() !== state);
    return atOnce(others.length, STRUCK.sim.missed, layers.sim.add(boxIds, state));
  },
  trace: (weatherTargets, boxIds, { link, file = '', direction }) =>
    addLayer(weatherTargets, boxIds, 'trace', {
      trace: link === undefined ? traceOf(weatherTargets, file) : builtInLink(link),
      direction,
    }),
  lose: (weatherTargets, boxIds, { message, count, connection }) => {
    const isCut = connection === 'cut';
    const { amqpBroker } = weatherTargets.world;
    if (message === 'amqp-confirm')
      return pickAmqp(message, (struck) => amqpBroker.swallowConfirms(count, { isCut, struck }));
    if (message === 'amqp-publish')
      return pickAmqp(message, (struck) => amqpBroker.losePublications(count, { isCut, struck }));
    return pickMessages(weatherTargets, boxIds, message, count, { kind: isCut ? 'lose-and-cut' : 'lose' });
  },
  delay: (weatherTargets, boxIds, { message, by, count }) => {
    if (message !== 'amqp-confirm')
      return pickMessages(weatherTargets, boxIds, message, count, { kind: 'delay', byMs: by });
    const { amqpBroker } = weatherTargets.world;
    return pickAmqp(message, (struck) => amqpBroker.delayConfirms(count, by, struck));
  },
  double: (weatherTargets, boxIds, { message, count }) => {
    if (message !== 'amqp-publish')
      return pickMessages(weatherTargets, boxIds, message, count, { kind: 'double' });
    const { amqpBroker } = weatherTargets.world;
    return pickAmqp(message, (struck) => amqpBroker.doublePublications(count, struck));
  },
  reorder: (weatherTargets, boxIds, { message, count, within }) =>
    overtakeMessages(weatherTargets, boxIds, message, count, within),
};

const COVERAGES: Readonly<
  Record<Coverage, (weatherTargets: WeatherTargets, boxIds: readonly string[]) => Laid>
> = {
  none: ({ layers, probe }, boxIds) =>
    probed(probe, boxIds, usesNetwork, STRUCK.coverage.missed, () => layers.coverage.add(boxIds, 'none')),
  poor: (weatherTargets, boxIds) => {
    const { world, layers } = weatherTargets;
    const ofSignal = addSignal(weatherTargets, boxIds, POOR_COVERAGE.csq);
    const ofLinks = counted(metOnLinks(weatherTargets, boxIds, 'packets'), STRUCK.latency.missed, () =>
      undoAll([
        layers.coverage.add(boxIds, 'poor'),
        ...boxIds.map((boxId) => world.networkFaults.poorCoverage(boxId)),
      ]),
    );
    return eitherOf(ofSignal, ofLinks);
  },
  good: ({ layers }, boxIds) => {
    const others = boxIds.filter((boxId) =>
      layers.coverage.valuesOf(boxId).some((value) => value !== 'good'),
    );
    return atOnce(others.length, 'the coverage was good already', layers.coverage.add(boxIds, 'good'));
  },
};

/** Two that are one to whoever asks: it has struck where either has, and `missed` is what the second one says. */
function eitherOf(one: Laid, other: Laid): Laid {
  const met = (): Met => !isNothing(one.met()) || !isNothing(other.met());
  return {
    met,
    end() {
      const [, missed] = [one.end(), other.end()];
      return isNothing(met()) ? missed : undefined;
    },
  };
}

function addSignal(weatherTargets: WeatherTargets, boxIds: readonly string[], csq: number): Laid {
  const { layers, boxOf, probe } = weatherTargets;
  const onRoad = boxIds.filter((boxId) => boxOf(boxId)?.plan.radio === 'road');
  const { missed } = STRUCK.signal;
  const ofSending = counted(metOnLinks(weatherTargets, onRoad, 'packets'), missed, () => undefined);
  const ofSignal = probed(probe, boxIds, measuresSignal(csq), missed, () => layers.csq.add(boxIds, csq));
  return eitherOf(ofSending, ofSignal);
}

/** One cell for each step: those who drive into a place share it with those who are there. */
function cellOf(
  { layers: { cells } }: WeatherTargets,
  settings: Extract<Weather, { readonly name: 'cell' }>['settings'],
): SharedCell {
  const { up, down } = settings;
  const rates = { ...(up === undefined ? {} : { up }), ...(down === undefined ? {} : { down }) };
  const cell = cells.get(settings) ?? new SharedCell(rates);
  cells.set(settings, cell);
  return cell;
}

/** Throws with the place in the file where it is no trace. */
function traceOf({ readFile }: WeatherTargets, file: string): CellularTrace {
  const text = readFile(file);
  if (text === undefined) throw new Error(`There is no file ${file}, which a weather step plays.`);
  const read = readCellularTrace(text);
  if ('trace' in read) return read.trace;
  const { line, what } = read.fault;
  throw new Error(`${file}${line === undefined ? '' : `, line ${line}`}: ${what}`);
}

/** Lays weather over boxes. */
export function applyWeather(
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  { name, settings }: Weather,
): Laid {
  const word = WEATHER_WORDS[name] as ApplyWeather<WeatherName>;
  return word(weatherTargets, boxIds, settings as never);
}
