import { decodePayload } from '../../../../protocol/codec/frame.ts';
import type { Message } from '../../../../protocol/message.ts';
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
import type { MessageKind, Weather, WeatherName } from '../../../language/steps/weather.ts';
import { measuresSignal, usesNetwork } from './box-probes.ts';
import { builtInLink } from './built-in-links.ts';
import type { Coverage, WeatherTargets } from './fault-targets.ts';
import { counted, probed, sumOf } from './struck.ts';
import { WEATHER_STRUCK as STRUCK } from './struck-rows.ts';

/** Messages of the exchange, which pass no link of a box. */
type AmqpMessageKind = Extract<MessageKind, 'amqp-confirm' | 'amqp-publish'>;

/** By which a message is known on its way. */
const MESSAGE_KINDS: Readonly<
  Record<Exclude<MessageKind, AmqpMessageKind>, (passing: PassingPacket) => boolean>
> = {
  puback: ({ direction, kind }) => direction === 'down' && kind === 'PUBACK',
  receipt: frames('down', ['receipt']),
  'command-request': frames('down', ['command', 'configuration']),
  'command-reply': frames('up', ['reply']),
  record: frames('up', ['report', 'heartbeat', 'event', 'access', 'tombstone']),
  hello: frames('up', ['hello', 'ready']),
  birth: frames('up', ['birth']),
  'box-puback': ({ direction, kind }) => direction === 'up' && kind === 'PUBACK',
};

/** Whether it befalls messages of the exchange: then it is of no box, and disturbs what all of them share. */
export function isOfExchange({ settings }: Weather): boolean {
  if (typeof settings !== 'object' || !('message' in settings)) return false;
  return !Object.hasOwn(MESSAGE_KINDS, settings.message);
}

function frames(way: Direction, kinds: readonly Message['kind'][]): (passing: PassingPacket) => boolean {
  return ({ direction, kind, payload }) =>
    direction === way &&
    kind === 'PUBLISH' &&
    decodePayload(payload).frames.some(({ frame }) => kinds.includes(frame.message.kind));
}

/** Takes weather back; a text that it returns says why it has never struck. */
type UndoWeather = () => unknown;

/** Lays it over these boxes. What it returns takes it back; nothing: it is over. */
type ApplyWeather<Name extends WeatherName> = (
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  settings: Extract<Weather, { readonly name: Name }>['settings'],
) => UndoWeather | undefined;

function undoAll(undos: readonly (() => unknown)[]): UndoWeather {
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
): UndoWeather {
  const { networkFaults } = weatherTargets.world;
  return counted(metOnLinks(weatherTargets, boxIds, METS[name] ?? 'packets'), STRUCK[name].missed, () =>
    undoAll(boxIds.map((boxId) => networkFaults.apply(name, boxId, setting))),
  );
}

/** Says `missed` where nothing of it happened to any box. */
function atOnce(happened: readonly (boolean | undefined)[], missed: string): UndoWeather {
  return () => (happened.some((one) => one !== false) ? undefined : missed);
}

const neverCame = (message: MessageKind): string => `no ${message} came while it lasted`;

/** The next messages of a kind, of each box. */
function pickMessages(
  { world }: WeatherTargets,
  boxIds: readonly string[],
  message: keyof typeof MESSAGE_KINDS,
  count: number,
  act: PacketFaultAction,
): UndoWeather {
  let struck = 0;
  const matches = (passing: PassingPacket): boolean => {
    const isOfKind = MESSAGE_KINDS[message](passing);
    if (isOfKind) struck += 1;
    return isOfKind;
  };
  const undo = undoAll(
    boxIds.map((boxId) => world.networkFaults.addPacketFault(boxId, { matches, count, act })),
  );
  return () => {
    undo();
    return struck === 0 ? neverCame(message) : undefined;
  };
}

/** The next messages of a kind are overtaken; one that came and that nothing has passed was not. */
function overtakeMessages(
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  message: keyof typeof MESSAGE_KINDS,
  count: number,
  withinMs: number,
): UndoWeather {
  let isOvertaken = false;
  const overtaken = (): void => {
    isOvertaken = true;
  };
  const undo = pickMessages(weatherTargets, boxIds, message, count, { kind: 'reorder', withinMs, overtaken });
  return () => {
    const missed = undo();
    return (
      missed ?? (isOvertaken ? undefined : `nothing was sent behind a ${message} in time to overtake it`)
    );
  };
}

/** `undo` returns how many of `count` messages were to come. */
function pickAmqp(message: MessageKind, count: number, undo: () => number): UndoWeather {
  return () => (undo() === count ? neverCame(message) : undefined);
}

export const WEATHER_WORDS: { readonly [Name in WeatherName]: ApplyWeather<Name> } = {
  coverage: (weatherTargets, boxIds, coverage) => COVERAGES[coverage](weatherTargets, boxIds),
  signal: (weatherTargets, boxIds, csq) => addSignal(weatherTargets, boxIds, csq),
  cut: ({ world }, boxIds) =>
    atOnce(
      boxIds.map((boxId) => world.networkFaults.cut(boxId) > 0),
      STRUCK.cut.missed,
    ),
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
      boxIds.map((boxId) => world.networkFaults.loseSession(boxId)),
      STRUCK.session_lost.missed,
    ),
  take_over: ({ world }, boxIds) =>
    atOnce(
      boxIds.map((boxId) => world.networkFaults.takeOver(boxId)),
      STRUCK.take_over.missed,
    ),
  roaming: ({ layers }, boxIds, { gap }) => layers.abroad.add(boxIds, gap),
  sim: ({ layers, boxOf }, boxIds, state) => {
    const isOther = boxIds.map((boxId) => boxOf(boxId)?.sim() !== state);
    const undo = layers.sim.add(boxIds, state);
    return () => {
      undo();
      return isOther.includes(true) ? undefined : STRUCK.sim.missed;
    };
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
      return pickAmqp(message, count, amqpBroker.swallowConfirms(count, { isCut }));
    if (message === 'amqp-publish')
      return pickAmqp(message, count, amqpBroker.losePublications(count, { isCut }));
    return pickMessages(weatherTargets, boxIds, message, count, { kind: isCut ? 'lose-and-cut' : 'lose' });
  },
  delay: (weatherTargets, boxIds, { message, by, count }) => {
    if (message !== 'amqp-confirm')
      return pickMessages(weatherTargets, boxIds, message, count, { kind: 'delay', byMs: by });
    return pickAmqp(message, count, weatherTargets.world.amqpBroker.delayConfirms(count, by));
  },
  double: (weatherTargets, boxIds, { message, count }) => {
    if (message !== 'amqp-publish')
      return pickMessages(weatherTargets, boxIds, message, count, { kind: 'double' });
    return pickAmqp(message, count, weatherTargets.world.amqpBroker.doublePublications(count));
  },
  reorder: (weatherTargets, boxIds, { message, count, within }) =>
    overtakeMessages(weatherTargets, boxIds, message, count, within),
};

const COVERAGES: Readonly<
  Record<Coverage, (weatherTargets: WeatherTargets, boxIds: readonly string[]) => UndoWeather>
> = {
  none: ({ layers, probe }, boxIds) =>
    probed(probe, boxIds, usesNetwork, STRUCK.coverage.missed, () => layers.coverage.add(boxIds, 'none')),
  poor: (weatherTargets, boxIds) => {
    const { world, layers } = weatherTargets;
    const undoSignal = addSignal(weatherTargets, boxIds, POOR_COVERAGE.csq);
    const undoLinks = counted(metOnLinks(weatherTargets, boxIds, 'packets'), STRUCK.latency.missed, () =>
      undoAll([
        layers.coverage.add(boxIds, 'poor'),
        ...boxIds.map((boxId) => world.networkFaults.poorCoverage(boxId)),
      ]),
    );
    return () => {
      const missed = [undoSignal(), undoLinks()];
      return missed.includes(undefined) ? undefined : missed[1];
    };
  },
  good: ({ layers }, boxIds) => {
    const isOther = boxIds.map((boxId) => layers.coverage.valuesOf(boxId).some((value) => value !== 'good'));
    const undo = layers.coverage.add(boxIds, 'good');
    return () => {
      undo();
      return isOther.includes(true) ? undefined : 'the coverage was good already';
    };
  },
};

function addSignal(weatherTargets: WeatherTargets, boxIds: readonly string[], csq: number): UndoWeather {
  const { layers, boxOf, probe } = weatherTargets;
  const onRoad = boxIds.filter((boxId) => boxOf(boxId)?.plan.radio === 'road');
  const sent = metOnLinks(weatherTargets, onRoad, 'packets');
  const sentBefore = sent();
  const undo = probed(probe, boxIds, measuresSignal(csq), STRUCK.signal.missed, () =>
    layers.csq.add(boxIds, csq),
  );
  return () => {
    const missed = undo();
    return sent() > sentBefore ? undefined : missed;
  };
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
): UndoWeather | undefined {
  const word = WEATHER_WORDS[name] as ApplyWeather<WeatherName>;
  return word(weatherTargets, boxIds, settings as never);
}
