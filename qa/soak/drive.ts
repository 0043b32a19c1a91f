import type { Random } from '../../world/random/random.ts';
import { act, type commandClient, type Outcomes, type SoakBox } from './clients.ts';
import { limits, WEATHER } from './limits.ts';
import { type WeatherAct, weatherOfMinute } from './weather.ts';

const TICK_MS = 200;
const MINUTE_MS = 60_000;

export interface Drive {
  /** Stops it; resolves once everything under way is answered, and what lasts has had its end. */
  stop(): Promise<void>;
}

/** The weather of `forMs` over the boxes, at its times. */
export function startWeather(parts: {
  readonly simulatorUrl: string;
  readonly boxes: readonly SoakBox[];
  readonly random: Random;
  readonly forMs: number;
  readonly outcomes: Outcomes;
}): Drive {
  const { simulatorUrl, random, forMs, outcomes } = parts;
  const boxIds = parts.boxes.map(({ boxId }) => boxId);
  const beganMs = performance.now();
  const underWay = new Set<Promise<void>>();
  let waiting: readonly WeatherAct[] = [];
  let minute = 0;
  const carryOut = (due: readonly WeatherAct[]) => {
    for (const one of due) track(underWay, act(simulatorUrl, one, outcomes));
  };
  const timer = setInterval(() => {
    const nowMs = performance.now() - beganMs;
    for (; minute * MINUTE_MS <= nowMs; minute += 1)
      waiting = [...waiting, ...weatherOfMinute(random, WEATHER, boxIds, minute, forMs)];
    carryOut(waiting.filter(({ atMs }) => atMs <= nowMs));
    waiting = waiting.filter(({ atMs }) => atMs > nowMs);
  }, TICK_MS);
  return {
    async stop() {
      clearInterval(timer);
      carryOut(waiting.filter(({ body }) => body['available'] === true));
      waiting = [];
      await Promise.all(underWay);
    },
  };
}

/** `limits.commandsPerS` commands, whether answers keep up or not, each to a vehicle that is drawn. */
export function startCommands(parts: {
  readonly client: ReturnType<typeof commandClient>;
  readonly boxes: readonly SoakBox[];
  readonly random: Random;
  readonly outcomes: Outcomes;
}): Drive {
  const { client, boxes, outcomes } = parts;
  const stream = parts.random.stream('soak/commands');
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const { vehicleId } = stream.pick(boxes);
    if (underWay.size < limits.commandsAtOnce) track(underWay, client.send(vehicleId));
    else outcomes.set('command: left out', (outcomes.get('command: left out') ?? 0) + 1);
  }, 1_000 / limits.commandsPerS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

function track(underWay: Set<Promise<void>>, one: Promise<void>): void {
  underWay.add(one);
  void one.finally(() => underWay.delete(one));
}
