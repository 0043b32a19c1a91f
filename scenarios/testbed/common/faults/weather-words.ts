import { decodePayload } from '../../../../protocol/codec/frame.ts';
import { MESSAGE_KINDS as FRAME_KINDS } from '../../../../protocol/message-kinds.ts';
import { type CellularTrace, readCellularTrace } from '../../../../world/network-faults/cellular-trace.ts';
import type {
  Direction,
  LayerName,
  LayerSettings,
  LinkCounts,
  PacketFaultAction,
  PassingPacket,
} from '../../../../world/network-faults/conditions.ts';
import { SharedCell } from '../../../../world/network-faults/shared-cell.ts';
import { MESSAGE_FRAMES } from '../../../language/steps/message-frames.ts';
import type { MessageKind, Weather, WeatherName } from '../../../language/steps/weather.ts';
import {
  activeFault,
  always,
  counted,
  type Effect,
  hadNoEffect,
  immediate,
  probed,
  type SyncFault,
  sumOf,
} from './active-fault.ts';
import { measuresSignal, usesNetwork } from './box-probes.ts';
import { builtInLink } from './built-in-links.ts';
import { WEATHER_EFFECTS as EFFECTS } from './effect-rows.ts';
import type { Coverage, WeatherTargets } from './fault-targets.ts';

/** Messages of the exchange, which pass no link of a box. */
type AmqpMessageKind = Extract<MessageKind, 'amqp-confirm' | 'amqp-publish'>;

type PickedMessage = Exclude<MessageKind, AmqpMessageKind>;
type FrameMessage = keyof typeof MESSAGE_FRAMES;

/** The direction of the PUBACKs that can be picked: the other messages are frames. */
const PUBACKS: Readonly<Record<Exclude<PickedMessage, FrameMessage>, Direction>> = {
  puback: 'down',
  'box-puback': 'up',
};

/** Recognizes a message in transit. */
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

/** Whether it affects messages of the exchange: then it belongs to no box, and disturbs what all of them share. */
export function isOfExchange({ settings }: Weather): boolean {
  if (typeof settings !== 'object' || !('message' in settings)) return false;
  return settings.message === 'amqp-confirm' || settings.message === 'amqp-publish';
}

/** Applies it to these boxes. */
type ApplyWeather<Name extends WeatherName> = (
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  settings: Extract<Weather, { readonly name: Name }>['settings'],
) => SyncFault;

function undoAll(undos: readonly (() => unknown)[]): () => void {
  return () => {
    for (const end of undos) end();
  };
}

/** How often that happened on the links of these boxes. */
function countOnLinks(
  { world }: Pick<WeatherTargets, 'world'>,
  boxIds: readonly string[],
  what: keyof LinkCounts,
): () => number {
  return sumOf(boxIds.map((boxId) => () => world.networkFaults.countsOf(boxId)[what]));
}

/** The count of a link that shows the effect of a layer; for the others it is packets. */
const EFFECT_COUNTS: Readonly<Partial<Record<LayerName, keyof LinkCounts>>> = {
  reset_peer: 'resets',
  slow_close: 'slowCloses',
  limit_data: 'overLimit',
};

/** One layer of the network's weather over each box; the world resolves overlaps. */
function addLayer<Name extends LayerName>(
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  name: Name,
  setting: Omit<LayerSettings[Name], 'sinceMs'>,
): SyncFault {
  const { networkFaults } = weatherTargets.world;
  return counted(
    countOnLinks(weatherTargets, boxIds, EFFECT_COUNTS[name] ?? 'packets'),
    EFFECTS[name].missed,
    () => undoAll(boxIds.map((boxId) => networkFaults.apply(name, boxId, setting))),
  );
}

/** To how many boxes it happened; undefined: unknown for that one, and if it happened to none, `unknown` says why. */
function howMany(happened: readonly (boolean | undefined)[], unknown: string): Effect {
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
): SyncFault {
  let effects = 0;
  const isSuch = matcherOf(message);
  const matches = (passing: PassingPacket): boolean => {
    const isOfKind = isSuch(passing);
    if (isOfKind) effects += 1;
    return isOfKind;
  };
  const undo = undoAll(
    boxIds.map((boxId) => world.networkFaults.addPacketFault(boxId, { matches, count, act })),
  );
  return activeFault(() => effects, neverCame(message), undo);
}

/** The next messages of a kind are overtaken; one without a later message was not. */
function overtakeMessages(
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  message: PickedMessage,
  count: number,
  withinMs: number,
): SyncFault {
  let effects = 0;
  const overtaken = (): void => {
    effects += 1;
  };
  const picked = pickMessages(weatherTargets, boxIds, message, count, {
    kind: 'reorder',
    withinMs,
    overtaken,
  });
  return {
    effect: () => effects,
    end() {
      const missed = picked.end();
      return (
        missed ?? (effects > 0 ? undefined : `nothing was sent behind a ${message} in time to overtake it`)
      );
    },
  };
}

/** Messages of the exchange. `begin` gets a callback for each affected one, and returns what removes the rest. */
function pickAmqp(message: MessageKind, begin: (onEffect: () => void) => () => unknown): SyncFault {
  let effects = 0;
  const undo = begin(() => {
    effects += 1;
  });
  return activeFault(() => effects, neverCame(message), undo);
}

export const WEATHER_WORDS: { readonly [Name in WeatherName]: ApplyWeather<Name> } = {
  coverage: (weatherTargets, boxIds, coverage) => COVERAGES[coverage](weatherTargets, boxIds),
  signal: (weatherTargets, boxIds, csq) => addSignal(weatherTargets, boxIds, csq),
  cut: ({ world }, boxIds) =>
    immediate(boxIds.filter((boxId) => world.networkFaults.cut(boxId) > 0).length, EFFECTS.cut.missed),
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
    immediate(
      howMany(
        boxIds.map((boxId) => world.networkFaults.loseSession(boxId)),
        EFFECTS.session_lost.notOverSockets,
      ),
      EFFECTS.session_lost.missed,
    ),
  take_over: ({ world }, boxIds) =>
    immediate(boxIds.filter((boxId) => world.networkFaults.takeOver(boxId)).length, EFFECTS.take_over.missed),
  roaming: ({ layers }, boxIds, { gap }) => always(layers.abroad.add(boxIds, gap)),
  sim: ({ layers, boxOf }, boxIds, state) => {
    const others = boxIds.filter((boxId) => boxOf(boxId)?.sim() !== state);
    return immediate(others.length, EFFECTS.sim.missed, layers.sim.add(boxIds, state));
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
      return pickAmqp(message, (onEffect) => amqpBroker.swallowConfirms(count, { isCut, onEffect }));
    if (message === 'amqp-publish')
      return pickAmqp(message, (onEffect) => amqpBroker.losePublications(count, { isCut, onEffect }));
    return pickMessages(weatherTargets, boxIds, message, count, { kind: isCut ? 'lose-and-cut' : 'lose' });
  },
  delay: (weatherTargets, boxIds, { message, by, count }) => {
    if (message !== 'amqp-confirm')
      return pickMessages(weatherTargets, boxIds, message, count, { kind: 'delay', byMs: by });
    const { amqpBroker } = weatherTargets.world;
    return pickAmqp(message, (onEffect) => amqpBroker.delayConfirms(count, by, onEffect));
  },
  double: (weatherTargets, boxIds, { message, by, count }) => {
    if (message !== 'amqp-publish')
      return pickMessages(weatherTargets, boxIds, message, count, {
        kind: 'double',
        ...(by === undefined ? {} : { byMs: by }),
      });
    const { amqpBroker } = weatherTargets.world;
    return pickAmqp(message, (onEffect) => amqpBroker.doublePublications(count, onEffect));
  },
  reorder: (weatherTargets, boxIds, { message, count, within }) =>
    overtakeMessages(weatherTargets, boxIds, message, count, within),
};

/** At the edge of a GPRS cell: the signal, and what it does to connections. */
const POOR_COVERAGE = {
  csq: 5,
  latency: { delayMs: 600, jitterMs: 900 },
  bandwidth: { upBitsPerS: 9_600, downBitsPerS: 14_400 },
} as const;

const COVERAGES: Readonly<
  Record<Coverage, (weatherTargets: WeatherTargets, boxIds: readonly string[]) => SyncFault>
> = {
  none: ({ layers, probe }, boxIds) =>
    probed(probe, boxIds, usesNetwork, EFFECTS.coverage.missed, () => layers.coverage.add(boxIds, 'none')),
  poor: (weatherTargets, boxIds) => {
    const { world, layers } = weatherTargets;
    const ofSignal = addSignal(weatherTargets, boxIds, POOR_COVERAGE.csq);
    const ofLinks = counted(countOnLinks(weatherTargets, boxIds, 'packets'), EFFECTS.latency.missed, () =>
      undoAll([
        layers.coverage.add(boxIds, 'poor'),
        ...boxIds.flatMap((boxId) => [
          world.networkFaults.apply('latency', boxId, POOR_COVERAGE.latency),
          world.networkFaults.apply('bandwidth', boxId, POOR_COVERAGE.bandwidth),
        ]),
      ]),
    );
    return eitherOf(ofSignal, ofLinks);
  },
  good: ({ layers }, boxIds) => {
    const others = boxIds.filter((boxId) =>
      layers.coverage.valuesOf(boxId).some((value) => value !== 'good'),
    );
    return immediate(others.length, 'the coverage was good already', layers.coverage.add(boxIds, 'good'));
  },
};

/** Two as one: it has had an effect where either has, and `missed` is that of the second one. */
function eitherOf(one: SyncFault, other: SyncFault): SyncFault {
  const effect = (): Effect => !hadNoEffect(one.effect()) || !hadNoEffect(other.effect());
  return {
    effect,
    end() {
      const [, missed] = [one.end(), other.end()];
      return hadNoEffect(effect()) ? missed : undefined;
    },
  };
}

function addSignal(weatherTargets: WeatherTargets, boxIds: readonly string[], csq: number): SyncFault {
  const { layers, boxOf, probe } = weatherTargets;
  const onRoad = boxIds.filter((boxId) => boxOf(boxId)?.plan.radio === 'road');
  const { missed } = EFFECTS.signal;
  const ofSending = counted(countOnLinks(weatherTargets, onRoad, 'packets'), missed, () => undefined);
  const ofSignal = probed(probe, boxIds, measuresSignal(csq), missed, () => layers.csq.add(boxIds, csq));
  return eitherOf(ofSending, ofSignal);
}

/** One cell for each step: vehicles that enter a place share it with those in it. */
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

/** Applies weather to boxes. */
export function applyWeather(
  weatherTargets: WeatherTargets,
  boxIds: readonly string[],
  { name, settings }: Weather,
): SyncFault {
  const word = WEATHER_WORDS[name] as ApplyWeather<WeatherName>;
  return word(weatherTargets, boxIds, settings as never);
}
