/** What was observed of a client from outside, in that order. Times are epoch milliseconds. */
export type Observed = { readonly atMs: number } & (
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: string;
      /** Without its query: `/vehicles/JQ7RP/commands/lock-central-lock`. */
      readonly path: string;
      /** Which of the issued tokens, counted from 1; 0: another one. Absent: none. */
      readonly token?: number;
    }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly status: number;
      /** Of a problem: the end of its type, such as `vehicle/no-connection`. */
      readonly problem?: string | undefined;
      readonly detail?: string | undefined;
      readonly retryAfterS?: number | undefined;
      /** A token that this answer issues. */
      readonly issued?: { readonly token: number; readonly lifeS: number } | undefined;
    }
  /** The client has hung up before its answer. */
  | { readonly kind: 'abandoned'; readonly id: number }
  /** A connection to the AMQP broker that has named its user; refused while the broker is away. */
  | { readonly kind: 'connected'; readonly connection: number; readonly isRefused: boolean }
  | { readonly kind: 'disconnected'; readonly connection: number; readonly isCut: boolean }
  | {
      readonly kind: 'subscribed';
      readonly connection: number;
      readonly queue: string;
      /** Deliveries count as acknowledged at once. */
      readonly isWithoutAcks: boolean;
      /** 0: without a bound. */
      readonly prefetch: number;
    }
  | {
      readonly kind: 'delivered';
      readonly connection: number;
      readonly delivery: number;
      readonly messageId: string;
      readonly vehicleId?: string | undefined;
      readonly isWithoutAcks: boolean;
      /** Of the properties of a vehicle state: when the vehicle recorded each. */
      readonly recorded: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'settled'; readonly delivery: number; readonly how: Settlement }
  /** The client has reported to its witness that it has processed a message. */
  | {
      readonly kind: 'stored';
      readonly messageId: string;
      /** The time of each property that it now has of that vehicle; absent: not reported. */
      readonly held?: Readonly<Record<string, number>> | undefined;
    }
  | { readonly kind: 'episode'; readonly name: string; readonly phase: 'begin' | 'end' }
  /** The command that was started for the client has exited on its own. */
  | { readonly kind: 'ended'; readonly code: number | string }
);

export type Settlement = 'acknowledged' | 'rejected' | 'requeued';

export type ObservedKind = Observed['kind'];
export type ObservedOf<Kind extends ObservedKind> = Extract<Observed, { readonly kind: Kind }>;

/** A run to judge. */
export interface ObservedRun {
  readonly startMs: number;
  readonly endMs: number;
  readonly events: readonly Observed[];
  /** How long the service waits for a silent box. */
  readonly answerTimeoutMs: number;
}

/** The events of one kind. */
export function ofKind<Kind extends ObservedKind>(
  events: readonly Observed[],
  kind: Kind,
): readonly ObservedOf<Kind>[] {
  return events.filter((event): event is ObservedOf<Kind> => event.kind === kind);
}

/** A request with its outcome. */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly token?: number | undefined;
  readonly atMs: number;
  /** Absent: there was none by the end of the run. */
  readonly answer?: ObservedOf<'answer'> | undefined;
  /** When the client has hung up before its answer. */
  readonly abandonedMs?: number | undefined;
}

/** A call that was answered. */
export type AnsweredCall = Call & { readonly answer: ObservedOf<'answer'> };

/** All requests in their order, with their answers: a client that has hung up before one does not receive it. */
export function callsOf(events: readonly Observed[]): readonly Call[] {
  const abandoned = new Map(ofKind(events, 'abandoned').map((one) => [one.id, one.atMs]));
  const isReceived = ({ id, atMs }: ObservedOf<'answer'>): boolean => !((abandoned.get(id) ?? atMs) < atMs);
  const answers = new Map(
    ofKind(events, 'answer')
      .filter(isReceived)
      .map((one) => [one.id, one]),
  );
  return ofKind(events, 'request').map(({ id, method, path, token, atMs }) => ({
    id,
    method,
    path,
    token,
    atMs,
    answer: answers.get(id),
    abandonedMs: abandoned.get(id),
  }));
}

/** Whether a call was answered, with one of these status codes if some are given. */
export function isAnswered(call: Call, ...status: readonly number[]): call is AnsweredCall {
  return call.answer !== undefined && (status.length === 0 || status.includes(call.answer.status));
}

export const TOKEN_PATH = '/auth/oauth/token';

/** Whether it asks for a token. */
export function isTokenCall({ path }: Pick<Call, 'path'>): boolean {
  return path === TOKEN_PATH;
}

/** The vehicle and the name of a command: `{ vehicleId: 'JQ7RP', command: 'lock-central-lock' }`. */
export function commandOf({
  method,
  path,
}: Pick<Call, 'method' | 'path'>): { readonly vehicleId: string; readonly command: string } | undefined {
  const [, vehicleId, command] = /^\/vehicles\/([^/]+)\/(?:box-)?commands\/([^/]+)$/.exec(path) ?? [];
  if (method !== 'POST' || vehicleId === undefined || command === undefined) return undefined;
  return { vehicleId, command };
}

/** Read-only commands: they may be sent any number of times. */
const ASKING: ReadonlySet<string> = new Set(['request-vehicle-state', 'request-system-status']);

/** Whether a command changes something. */
export function isChanging(call: Pick<Call, 'method' | 'path'>): boolean {
  const command = commandOf(call);
  return command !== undefined && !ASKING.has(command.command);
}

/**
 * Repetitions: calls of the same method and path one after the other, each begun within `limits.repetitionMs` after
 * the one before was answered so that `isFailure` holds. Chains of one call are among them.
 */
export function chainsOf(
  calls: readonly Call[],
  isFailure: (call: AnsweredCall) => boolean,
  withinMs: number,
): readonly (readonly Call[])[] {
  const open = new Map<string, Call[]>();
  const chains: Call[][] = [];
  for (const call of calls) {
    const key = `${call.method} ${call.path}`;
    const chain = open.get(key);
    const last = chain?.at(-1);
    const isNext =
      chain !== undefined &&
      last?.answer !== undefined &&
      call.atMs >= last.answer.atMs &&
      call.atMs - last.answer.atMs <= withinMs;
    if (isNext) chain.push(call);
    if (isAnswered(call) && isFailure(call)) {
      if (isNext) continue;
      const begun = [call];
      open.set(key, begun);
      chains.push(begun);
    } else open.delete(key);
  }
  return chains;
}

/** The pauses of a chain, from each answer to the next request, in milliseconds. */
export function pausesOf(chain: readonly Call[]): readonly number[] {
  return chain.slice(1).map(({ atMs }, index) => atMs - (chain[index]?.answer?.atMs ?? atMs));
}
