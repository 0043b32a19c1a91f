import type { FrameStreamLine, FrameSummary } from '../../../simulator/control/frame-line.ts';
import type { SeenMessage } from '../../stream/messages.ts';

/** The way of one record, from the flash of its box to the queue. Times are ISO 8601, UTC. */
export interface RecordWay {
  /** Its epoch and sequence; unique for a box. */
  readonly key: string;
  readonly sequence: number;
  readonly kind: string;
  /** By the clock of the box; absent: it was not set. */
  readonly recordedAt?: string | undefined;
  /** The time of each transmission. */
  readonly sentAt: readonly string[];
  /** The service has it, and the box may delete it. */
  readonly receiptAt?: string | undefined;
  /** What was published of it, as far as messages were read. */
  readonly messages: readonly { readonly type: string; readonly at: string }[];
}

/**
 * The ways of the records among these frames, the newest first. A message does not name its record: a state has its
 * time, in whole seconds, at each property, and those of the same second are matched in their order; what a feature
 * detected belongs to the state before it (docs/messages.md, Order). A state without properties cannot be assigned to a
 * record. Both lists have the newest first.
 */
export function recordWays(
  lines: readonly FrameStreamLine[],
  messages: readonly SeenMessage[],
): readonly RecordWay[] {
  const ways = new Map<string, RecordWay>();
  for (const { frame, direction, at } of lines.toReversed()) {
    if (frame === undefined) continue;
    if (direction === 'up' && frame.sequence > 0) {
      const key = `${frame.epoch}:${frame.sequence}`;
      const before = ways.get(key);
      ways.set(key, {
        key,
        sequence: frame.sequence,
        kind: frame.kind,
        recordedAt: frame.clock,
        messages: [],
        ...before,
        sentAt: [...(before?.sentAt ?? []), at],
      });
      continue;
    }
    const { received } = frame;
    if (received === undefined) continue;
    for (const [key, way] of ways) {
      if (way.receiptAt !== undefined || !key.startsWith(`${frame.epoch}:`)) continue;
      if (isReceived(received, way.sequence)) ways.set(key, { ...way, receiptAt: at });
    }
  }
  return withMessages([...ways.values()], messages.toReversed()).toReversed();
}

function isReceived(
  { contiguous, ranges }: NonNullable<FrameSummary['received']>,
  sequence: number,
): boolean {
  return sequence <= contiguous || ranges.some(([first, last]) => sequence >= first && sequence <= last);
}

/** Both in the order of their times. */
function withMessages(ways: readonly RecordWay[], messages: readonly SeenMessage[]): readonly RecordWay[] {
  const groups = Map.groupBy(statesWithFeatures(messages), ([state]) => secondOf(recordedAt(state)));
  return ways.map((way) => {
    const [own] =
      way.recordedAt === undefined ? [] : (groups.get(secondOf(way.recordedAt))?.splice(0, 1) ?? []);
    return own === undefined ? way : { ...way, messages: own.map(({ type, at }) => ({ type, at })) };
  });
}

/** Each state with the messages of features that follow it under the same flow id. A repeated message counts once. */
function statesWithFeatures(messages: readonly SeenMessage[]): (readonly SeenMessage[])[] {
  const groups: SeenMessage[][] = [];
  const seen = new Set<string>();
  for (const message of messages) {
    if (seen.has(message.messageId)) continue;
    seen.add(message.messageId);
    const last = groups.at(-1);
    if (message.type === 'VehicleStateReceived' || last === undefined) groups.push([message]);
    else if (flowOf(message) === flowOf(last[0])) last.push(message);
  }
  return groups;
}

function flowOf(message: SeenMessage | undefined): unknown {
  return message?.headers['Flow-ID'];
}

/** The latest time of its properties; undefined: it has none. */
function recordedAt(message: SeenMessage | undefined): string | undefined {
  const { data } = (message?.body ?? {}) as {
    readonly data?: { readonly vehicle_state?: Readonly<Record<string, { readonly timestamp?: unknown }>> };
  };
  const times = Object.values(data?.vehicle_state ?? {}).map((property) => property?.timestamp);
  return times
    .filter((time) => typeof time === 'string')
    .sort()
    .at(-1);
}

/** `2026-11-26T04:33:27` of any time within that second. */
function secondOf(time: string | undefined): string {
  return time?.slice(0, 19) ?? '';
}
