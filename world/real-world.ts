import type { Log } from './log.ts';
import { realExchange } from './real-exchange.ts';
import { realFlash } from './real-flash.ts';
import { realHttp } from './real-http.ts';
import { realLink } from './real-link.ts';
import { type LogLevel, realLog } from './real-log.ts';
import { realMint } from './real-mint.ts';
import { realRandom } from './real-random.ts';
import { realSeal, type SealKey } from './real-seal.ts';
import { realTime } from './real-time.ts';
import { type RealTrace, realTrace } from './real-trace.ts';
import type { World } from './world.ts';

export interface RealWorldOptions {
  /** Of the fleet's chance, its ids included. What the mint makes does not depend on it. */
  readonly seed: number;
  readonly mqttUrl: string;
  /** For mqtts: a certificate authority in PEM form. */
  readonly mqttCa?: string;
  /** Several are the nodes of one cluster. Undefined where messages go nowhere. */
  readonly amqpUrl: string | readonly string[] | undefined;
  readonly amqpCa?: string;
  readonly flashPath: string;
  readonly sealKey: SealKey;
  /** A log that is in use already, or the level of a new one on stderr. */
  readonly log: Log | LogLevel;
}

export interface RealWorld extends World {
  readonly trace: RealTrace;
  /** Ends what the world itself holds open; sessions are their openers'. */
  close(): Promise<void>;
}

/**
 * The world with sockets, a wall clock and a disk. Rejects with a TypeError for an address or a key that is none, and
 * with the reason where the flash file cannot be used.
 */
export async function openRealWorld(options: RealWorldOptions): Promise<RealWorld> {
  const { mqttUrl, mqttCa, amqpUrl, amqpCa } = options;
  const time = realTime();
  const log = typeof options.log === 'string' ? realLog(options.log) : options.log;
  const link = realLink({ url: mqttUrl, ...(mqttCa === undefined ? {} : { ca: mqttCa }) });
  const exchange =
    amqpUrl === undefined
      ? undefined
      : realExchange({ url: amqpUrl, ...(amqpCa === undefined ? {} : { ca: amqpCa }) });
  const seal = await realSeal(options.sealKey);
  // Last, since it alone has to be closed again.
  const flash = realFlash(options.flashPath);
  return {
    time,
    random: realRandom(options.seed),
    mint: realMint(time),
    seal,
    flash,
    link,
    exchange,
    http: realHttp(),
    trace: realTrace(log),
    log,
    close: () => flash.close(),
  };
}
