import { type CellularTrace, readCellularTrace } from '../../world/cellular-trace.ts';
import type { LayerName, LayerSettings, PickAct } from '../../world/climate.ts';
import { POOR_COVERAGE } from '../../world/weather.ts';
import type { Weather, WeatherName } from '../language/weather.ts';
import { builtInLink } from './built-in-links.ts';
import { MESSAGE_KINDS } from './message-kinds.ts';
import type { Scene } from './scene.ts';

/** Lays it over these boxes. What it returns takes it back; nothing: it is over. */
type Lay<Name extends WeatherName> = (
  scene: Scene,
  boxIds: readonly string[],
  settings: Extract<Weather, { readonly name: Name }>['settings'],
) => (() => void) | undefined;

function all(endings: readonly (() => void)[]): () => void {
  return () => {
    for (const end of endings) end();
  };
}

/** One layer of the network's weather over each box; the world sees to what overlaps. */
function lay<Name extends LayerName>(
  { world }: Scene,
  boxIds: readonly string[],
  name: Name,
  setting: Omit<LayerSettings[Name], 'sinceMs'>,
): () => void {
  return all(boxIds.map((boxId) => world.weather.lay(name, boxId, setting)));
}

/** The next messages of a kind, of each box. */
function pick(
  { world }: Scene,
  boxIds: readonly string[],
  message: keyof typeof MESSAGE_KINDS,
  count: number,
  act: PickAct,
): () => void {
  return all(
    boxIds.map((boxId) => world.weather.pick(boxId, { matches: MESSAGE_KINDS[message], count, act })),
  );
}

export const WEATHER_WORDS: { readonly [Name in WeatherName]: Lay<Name> } = {
  coverage: ({ world, layers }, boxIds, coverage) =>
    all([
      layers.coverage.lay(boxIds, coverage),
      ...(coverage === 'poor'
        ? [
            layers.csq.lay(boxIds, POOR_COVERAGE.csq),
            ...boxIds.map((boxId) => world.weather.poorCoverage(boxId)),
          ]
        : []),
    ]),
  signal: ({ layers }, boxIds, csq) => layers.csq.lay(boxIds, csq),
  cut: ({ world }, boxIds) => {
    for (const boxId of boxIds) world.weather.cut(boxId);
    return undefined;
  },
  half_open: (scene, boxIds) => lay(scene, boxIds, 'half_open', {}),
  stall: (scene, boxIds) => lay(scene, boxIds, 'stall', {}),
  latency: (scene, boxIds, { base, jitter }) =>
    lay(scene, boxIds, 'latency', { delayMs: base, jitterMs: jitter }),
  bandwidth: (scene, boxIds, { up, down }) =>
    lay(scene, boxIds, 'bandwidth', {
      ...(up === undefined ? {} : { upBitsPerS: up }),
      ...(down === undefined ? {} : { downBitsPerS: down }),
    }),
  reset_peer: (scene, boxIds, { after }) => lay(scene, boxIds, 'reset_peer', { afterMs: after }),
  slow_close: (scene, boxIds, { delay }) => lay(scene, boxIds, 'slow_close', { delayMs: delay }),
  limit_data: (scene, boxIds, { after }) => lay(scene, boxIds, 'limit_data', { bytes: after }),
  session_lost: ({ world }, boxIds) => {
    for (const boxId of boxIds) world.weather.loseSession(boxId);
    return undefined;
  },
  take_over: ({ world }, boxIds) => {
    for (const boxId of boxIds) world.weather.takeOver(boxId);
    return undefined;
  },
  roaming: ({ layers }, boxIds, { gap }) => layers.abroad.lay(boxIds, gap),
  sim: ({ layers }, boxIds, state) => layers.sim.lay(boxIds, state),
  trace: (scene, boxIds, { link, file = '', direction }) =>
    lay(scene, boxIds, 'trace', {
      trace: link === undefined ? traceOf(scene, file) : builtInLink(link),
      direction,
    }),
  lose: (scene, boxIds, { message, count, connection }) => {
    if (message !== 'amqp-confirm') {
      const kind = connection === 'cut' ? 'lose-and-cut' : 'lose';
      return pick(scene, boxIds, message, count, { kind });
    }
    return scene.world.exchangeBroker.swallowConfirms(count, { isCut: connection === 'cut' });
  },
  delay: (scene, boxIds, { message, by, count }) => {
    if (message !== 'amqp-confirm') return pick(scene, boxIds, message, count, { kind: 'delay', byMs: by });
    return scene.world.exchangeBroker.delayConfirms(count, by);
  },
};

/** Throws with the place in the file where it is no trace. */
function traceOf({ readFile }: Scene, file: string): CellularTrace {
  const text = readFile(file);
  if (text === undefined) throw new Error(`There is no ${file}, which weather is to play.`);
  const read = readCellularTrace(text);
  if ('trace' in read) return read.trace;
  const { line, what } = read.fault;
  throw new Error(`${file}${line === undefined ? '' : `, line ${line}`}: ${what}`);
}

/** Lays weather over boxes. */
export function layWeather(
  scene: Scene,
  boxIds: readonly string[],
  { name, settings }: Weather,
): (() => void) | undefined {
  const word = WEATHER_WORDS[name] as Lay<WeatherName>;
  return word(scene, boxIds, settings as never);
}
