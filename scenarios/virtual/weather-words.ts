import type { Weather, WeatherName } from '../language/weather.ts';
import { limits } from './limits.ts';
import type { Scene } from './scene.ts';

/** Lays it over these boxes. What it returns takes it back; nothing: it is over. */
type Lay<Name extends WeatherName> = (
  scene: Scene,
  boxIds: readonly string[],
  settings: Extract<Weather, { readonly name: Name }>['settings'],
) => (() => void) | undefined;

/** A word that this world cannot do yet. */
export class NotYet extends Error {
  override readonly name = 'NotYet';

  constructor(word: string) {
    super(`The virtual world has no ${word} yet. Leave the step out, or take another word.`);
  }
}

const notYet = (word: string) => (): never => {
  throw new NotYet(word);
};

function all(endings: readonly (() => void)[]): () => void {
  return () => {
    for (const end of endings) end();
  };
}

export const WEATHER_WORDS: { readonly [Name in WeatherName]: Lay<Name> } = {
  coverage: ({ layers }, boxIds, coverage) =>
    all([
      layers.coverage.lay(boxIds, coverage),
      ...(coverage === 'poor'
        ? [
            layers.csq.lay(boxIds, limits.poorCsq),
            layers.latency.lay(boxIds, { delayMs: limits.poorDelayMs, jitterMs: limits.poorJitterMs }),
          ]
        : []),
    ]),
  signal: ({ layers }, boxIds, csq) => layers.csq.lay(boxIds, csq),
  cut: ({ world }, boxIds) => {
    for (const boxId of boxIds) world.weather.cut(boxId);
    return undefined;
  },
  half_open: ({ layers }, boxIds) => layers.halfOpen.lay(boxIds, true),
  stall: ({ layers }, boxIds) => layers.stall.lay(boxIds, true),
  latency: ({ layers }, boxIds, { base, jitter }) =>
    layers.latency.lay(boxIds, { delayMs: base, jitterMs: jitter }),
  sim: ({ layers }, boxIds, state) => layers.sim.lay(boxIds, state),
  bandwidth: notYet('weather bandwidth'),
  reset_peer: notYet('weather reset_peer'),
  slow_close: notYet('weather slow_close'),
  limit_data: notYet('weather limit_data'),
  session_lost: notYet('weather session_lost'),
  take_over: notYet('weather take_over'),
  roaming: notYet('weather roaming'),
  trace: notYet('weather trace'),
  lose: ({ world }, boxIds, { message, count, connection }) => {
    switch (message) {
      case 'puback':
        for (const boxId of boxIds) {
          if (connection === 'cut') world.weather.losePuback(boxId, count);
          else world.weather.withholdPuback(boxId, count);
        }
        return undefined;
      case 'amqp-confirm':
        world.exchangeBroker.swallowConfirms(count);
        return undefined;
      default:
        throw new NotYet(`weather lose of a ${message}`);
    }
  },
  delay: notYet('weather delay'),
};

/** Lays weather over boxes. Throws `NotYet`. */
export function layWeather(
  scene: Scene,
  boxIds: readonly string[],
  { name, settings }: Weather,
): (() => void) | undefined {
  const lay = WEATHER_WORDS[name] as Lay<WeatherName>;
  return lay(scene, boxIds, settings as never);
}
