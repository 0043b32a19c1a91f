import { type HttpResponse, HttpUnreachable } from '../../world/http/http.ts';
import type { World } from '../../world/world.ts';
import { makerLimits } from '../base/limits.ts';
import { quote } from '../base/quoted-text.ts';
import type { RemoteInterface } from '../base/remote-interface.ts';
import type { Properties } from '../vehicles/records.ts';
import type { Maker, MakerErrorMeaning, MakerReadResult, MakerState } from './maker.ts';
import { translateReading } from './translate.ts';

/** A state of a vehicle as its maker reported it, translated into our properties. */
export interface MakerReport {
  readonly makerVehicleId: string;
  readonly takenMs: number;
  readonly properties: Properties;
}

/** The result of a call. `words`: the maker's message, for people; contains no secrets. */
export type MakerReply =
  | { readonly kind: 'report'; readonly report: MakerReport }
  /** The maker answered with an error. */
  | { readonly kind: 'refused'; readonly meaning: MakerErrorMeaning | undefined; readonly detail: string }
  /** The maker wants fewer calls. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number | undefined; readonly detail: string }
  /** The maker answered in an unexpected form. */
  | { readonly kind: 'nonsense'; readonly detail: string }
  /** No answer came; `isSent` false: the call cannot have arrived. */
  | { readonly kind: 'silent'; readonly isSent: boolean; readonly detail: string };

/** One maker's cloud. No call rejects. */
export interface MakerClient {
  readonly maker: Maker;
  /** The current state of a vehicle in the cloud. */
  ask(makerVehicleId: string, timeoutMs: number): Promise<MakerReply>;
  /** Sends a command, under the maker's name for it, to a vehicle. */
  act(makerVehicleId: string, makerCommand: string, timeoutMs: number): Promise<MakerReply>;
  /** Registers `url` for notifications of every state, signed with `secret`. undefined: registered. */
  subscribe(url: string, secret: string): Promise<Exclude<MakerReply, { kind: 'report' }> | undefined>;
  /** The report in a notification's body. */
  readNotification(body: unknown): MakerReadResult<MakerReport>;
}

export type ClientWorld = Pick<World, 'http' | 'time'>;

/** Calls the cloud at the address in `remote`. */
export function makeMakerClient(world: ClientWorld, maker: Maker, remote: RemoteInterface): MakerClient {
  const { api } = maker;

  async function call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body: unknown,
    timeoutMs: number,
  ): Promise<{ readonly answer: HttpResponse } | Exclude<MakerReply, { kind: 'report' }>> {
    try {
      const answer = await world.http.call({
        method,
        url: `${remote.baseUrl}${path}`,
        headers: {
          accept: 'application/json',
          [api.keyHeader]: remote.apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
        maxBodyBytes: makerLimits.answerBytes,
      });
      return answer.status >= 200 && answer.status < 300 ? { answer } : refusal(maker, answer);
    } catch (error) {
      if (!(error instanceof HttpUnreachable)) throw error;
      const detail = error.isSent ? 'it did not answer' : 'it could not be reached';
      return { kind: 'silent', isSent: error.isSent, detail };
    }
  }

  const report = (read: MakerReadResult<MakerState>): MakerReadResult<MakerReport> => {
    if (!read.ok) return read;
    const { vehicleId, takenMs, reading } = read.value;
    const nowMs = world.time.nowMs();
    if (takenMs > nowMs + makerLimits.aheadMs)
      return { ok: false, fault: 'the state has a time in the future' };
    const properties = translateReading(maker.rows, reading, Math.min(takenMs, nowMs));
    if (!properties.ok) return properties;
    return { ok: true, value: { makerVehicleId: vehicleId, takenMs, properties: properties.value } };
  };

  const reportOf = (
    called: Awaited<ReturnType<typeof call>>,
    makerVehicleId: string,
    read: (body: unknown) => MakerReadResult<MakerState>,
  ): MakerReply => {
    if (!('answer' in called)) return called;
    const found = report(read(jsonOf(called.answer.body)));
    if (!found.ok) return { kind: 'nonsense', detail: found.fault };
    if (found.value.makerVehicleId !== makerVehicleId)
      return { kind: 'nonsense', detail: 'the state belongs to another vehicle' };
    return { kind: 'report', report: found.value };
  };

  return {
    maker,
    ask: async (id, timeoutMs) =>
      reportOf(await call('GET', api.statePath(id), undefined, timeoutMs), id, api.readState),
    act: async (id, makerCommand, timeoutMs) => {
      const { path, body } = api.action(id, makerCommand);
      return reportOf(await call('POST', path, body, timeoutMs), id, api.readActionAnswer);
    },
    subscribe: async (url, secret) => {
      const { path, body } = api.subscription(url, secret);
      const called = await call('PUT', path, body, makerLimits.pollTimeoutMs);
      return 'answer' in called ? undefined : called;
    },
    readNotification: (body) => report(api.readNotification(body)),
  };
}

/** An error answer, with the maker's own words if they can be read. */
function refusal(maker: Maker, answer: HttpResponse): Exclude<MakerReply, { kind: 'report' }> {
  const error = maker.api.readError(jsonOf(answer.body));
  const detail =
    error === undefined
      ? `status ${answer.status}`
      : `status ${answer.status}, ${quote(error.code)}: ${quote(error.text)}`;
  if (answer.status === 429)
    return { kind: 'limited', retryAfterMs: retryAfterMs(answer.headers['retry-after']), detail };
  return { kind: 'refused', meaning: error === undefined ? undefined : meaningOf(maker, error.code), detail };
}

function meaningOf(maker: Maker, code: string): MakerErrorMeaning | undefined {
  return Object.hasOwn(maker.meanings, code) ? maker.meanings[code] : undefined;
}

/** Retry-After in its form of seconds (RFC 9110 section 10.2.3), bounded; undefined if it has another form. */
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
