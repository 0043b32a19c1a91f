import { type HttpAnswer, HttpUnreachable } from '../../world/http.ts';
import type { World } from '../../world/world.ts';
import { quote } from '../http/quote.ts';
import type { RemoteInterface } from '../service.ts';
import type { Properties } from '../vehicles/records.ts';
import { makerLimits } from './limits.ts';
import type { Maker, MakerState, Meaning, Read } from './maker.ts';
import { translateReading } from './translate.ts';

/** A state of a vehicle as its maker told it, in our properties. */
export interface MakerReport {
  readonly makerVehicleId: string;
  readonly takenMs: number;
  readonly properties: Properties;
}

/** What came of a call. `words`: what the maker said, for people; no secrets in it. */
export type MakerReply =
  | { readonly kind: 'report'; readonly report: MakerReport }
  /** The maker answered with an error. */
  | { readonly kind: 'refused'; readonly meaning: Meaning | undefined; readonly words: string }
  /** The maker wants fewer calls. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number | undefined; readonly words: string }
  /** The maker answered with something that is not of its form. */
  | { readonly kind: 'nonsense'; readonly words: string }
  /** No answer came; `isSent` false: the call cannot have reached anybody. */
  | { readonly kind: 'silent'; readonly isSent: boolean; readonly words: string };

/** One maker's cloud. No call rejects. */
export interface MakerClient {
  readonly maker: Maker;
  /** What the cloud knows of a vehicle now. */
  ask(makerVehicleId: string, timeoutMs: number): Promise<MakerReply>;
  /** Has a vehicle do what the maker's word says. */
  act(makerVehicleId: string, word: string, timeoutMs: number): Promise<MakerReply>;
  /** Has the maker tell `url` of every state, signed with `secret`. undefined: it will. */
  subscribe(url: string, secret: string): Promise<Exclude<MakerReply, { kind: 'report' }> | undefined>;
  /** The report in a notification's body. */
  readNotification(body: unknown): Read<MakerReport>;
}

export type ClientWorld = Pick<World, 'http' | 'time'>;

/** Talks to the cloud that stands at `remote`. */
export function makeMakerClient(world: ClientWorld, maker: Maker, remote: RemoteInterface): MakerClient {
  const { wire } = maker;

  async function call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body: unknown,
    timeoutMs: number,
  ): Promise<{ readonly answer: HttpAnswer } | Exclude<MakerReply, { kind: 'report' }>> {
    try {
      const answer = await world.http.call({
        method,
        url: `${remote.baseUrl}${path}`,
        headers: {
          accept: 'application/json',
          [wire.keyHeader]: remote.apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
        maxBodyBytes: makerLimits.answerBytes,
      });
      return answer.status >= 200 && answer.status < 300 ? { answer } : refusal(maker, answer);
    } catch (error) {
      if (!(error instanceof HttpUnreachable)) throw error;
      const words = error.isSent ? 'it did not answer' : 'it could not be reached';
      return { kind: 'silent', isSent: error.isSent, words };
    }
  }

  const report = (read: Read<MakerState>): Read<MakerReport> => {
    if (!read.ok) return read;
    const { vehicleId, takenMs, reading } = read.value;
    const nowMs = world.time.nowMs();
    if (takenMs > nowMs + makerLimits.aheadMs) return { ok: false, fault: 'the state is of the future' };
    const properties = translateReading(maker.rows, reading, Math.min(takenMs, nowMs));
    if (!properties.ok) return properties;
    return { ok: true, value: { makerVehicleId: vehicleId, takenMs, properties: properties.value } };
  };

  const reportOf = (
    called: Awaited<ReturnType<typeof call>>,
    makerVehicleId: string,
    read: (body: unknown) => Read<MakerState>,
  ): MakerReply => {
    if (!('answer' in called)) return called;
    const found = report(read(jsonOf(called.answer.body)));
    if (!found.ok) return { kind: 'nonsense', words: found.fault };
    if (found.value.makerVehicleId !== makerVehicleId)
      return { kind: 'nonsense', words: 'the state is of another vehicle' };
    return { kind: 'report', report: found.value };
  };

  return {
    maker,
    ask: async (id, timeoutMs) =>
      reportOf(await call('GET', wire.statePath(id), undefined, timeoutMs), id, wire.readState),
    act: async (id, word, timeoutMs) => {
      const { path, body } = wire.action(id, word);
      return reportOf(await call('POST', path, body, timeoutMs), id, wire.readActionAnswer);
    },
    subscribe: async (url, secret) => {
      const { path, body } = wire.subscription(url, secret);
      const called = await call('PUT', path, body, makerLimits.pollTimeoutMs);
      return 'answer' in called ? undefined : called;
    },
    readNotification: (body) => report(wire.readNotification(body)),
  };
}

/** An answer that is an error, with the maker's own words where they can be read. */
function refusal(maker: Maker, answer: HttpAnswer): Exclude<MakerReply, { kind: 'report' }> {
  const error = maker.wire.readError(jsonOf(answer.body));
  const words =
    error === undefined
      ? `status ${answer.status}`
      : `status ${answer.status}, ${quote(error.code)}: ${quote(error.text)}`;
  if (answer.status === 429)
    return { kind: 'limited', retryAfterMs: retryAfterMs(answer.headers['retry-after']), words };
  return { kind: 'refused', meaning: error === undefined ? undefined : meaningOf(maker, error.code), words };
}

function meaningOf(maker: Maker, code: string): Meaning | undefined {
  return Object.hasOwn(maker.meanings, code) ? maker.meanings[code] : undefined;
}

/** Retry-After in its form of seconds (RFC 9110 section 10.2.3), bounded; undefined where it is none. */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d{1,9}$/.test(header)) return undefined;
  return Math.min(Number(header) * 1_000, makerLimits.longestRetryAfterMs);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
