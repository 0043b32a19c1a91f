import type { Exchange } from './exchange.ts';
import type { Flash } from './flash.ts';
import type { Http } from './http.ts';
import type { Link } from './link.ts';
import type { Log } from './log.ts';
import type { Mint } from './mint.ts';
import type { Random } from './random.ts';
import type { Seal } from './seal.ts';
import type { Time } from './time.ts';
import type { Trace } from './trace.ts';

/** All that a program may ask of outside. A part that needs less asks for less: `Pick<World, 'time' | 'link'>`. */
export interface World {
  readonly time: Time;
  readonly random: Random;
  readonly mint: Mint;
  readonly seal: Seal;
  readonly flash: Flash;
  readonly link: Link;
  /** Undefined where messages go nowhere (`--amqp none`). */
  readonly exchange: Exchange | undefined;
  readonly http: Http;
  readonly trace: Trace;
  readonly log: Log;
}
