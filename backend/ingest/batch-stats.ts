import type { FrameFault } from '../../protocol/codec/fault.ts';
import type { Frame } from '../../protocol/message.ts';
import { limits } from '../base/limits.ts';
import type { Quarantined } from '../store/port/ingest-store.ts';
import type { BoxMessage, ReceivedPayload } from './inbound-message.ts';
import type { Trouble, TroubleKind } from './troubles.ts';

/** Collects counts, troubles and quarantine while messages are reduced. */
export class BatchStats {
  readonly counts = new Map<string, number>();
  readonly troubles: Trouble[] = [];
  readonly quarantine: Quarantined[] = [];

  count(name: string, amount = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + amount);
  }

  addTrouble(kind: TroubleKind, boxId: string, detail: string): void {
    this.count(`troubles.${kind}`);
    this.troubles.push({ kind, boxId, detail });
  }

  /** Puts the bytes from `start` to `end` of a payload in quarantine. */
  putInQuarantine(
    payload: ReceivedPayload,
    boxId: string,
    fault: string,
    detail: string,
    start: number,
    end: number,
  ): void {
    this.count('quarantined');
    this.quarantine.push({
      boxId,
      receivedMs: payload.receivedMs,
      fault,
      offset: start,
      detail,
      bytes: payload.bytes.subarray(start, Math.min(end, start + limits.quarantineBytes)),
    });
  }

  /** Refuses a whole payload. */
  refusePayload(payload: ReceivedPayload, boxId: string, kind: TroubleKind, detail: string): void {
    this.addTrouble(kind, boxId, detail);
    this.putInQuarantine(payload, boxId, kind, detail, 0, payload.bytes.length);
  }

  /** Refuses one frame of a payload that can be decoded but is not allowed. */
  refuseFrame(
    inbound: BoxMessage,
    placed: { readonly start: number; readonly end: number },
    kind: TroubleKind,
    detail: string,
  ): void {
    this.addTrouble(kind, inbound.boxId, detail);
    this.putInQuarantine(inbound, inbound.boxId, kind, detail, placed.start, placed.end);
  }

  /** Records bytes that could not be decoded; beyond a number per payload they are only counted. */
  refuseUndecodable(
    inbound: BoxMessage,
    index: number,
    fault: FrameFault,
    place: { readonly start: number; readonly end: number },
  ): void {
    this.count(`faults.${fault.fault}`);
    this.addTrouble('undecodable', inbound.boxId, `${fault.fault} at byte ${fault.offset}: ${fault.detail}`);
    if (index >= limits.faultsPerPayload) return;
    this.count('quarantined');
    this.quarantine.push({
      boxId: inbound.boxId,
      receivedMs: inbound.receivedMs,
      fault: fault.fault,
      offset: fault.offset,
      detail: fault.detail,
      bytes: inbound.bytes.subarray(place.start, Math.min(place.end, place.start + limits.quarantineBytes)),
    });
  }
}

/** The counter names of frames, precomputed: one is looked up for each frame. */
export const FRAME_COUNTS = {
  receipt: 'frames.receipt',
  command: 'frames.command',
  configuration: 'frames.configuration',
  unreadable: 'frames.unreadable',
  resend: 'frames.resend',
  hello: 'frames.hello',
  ready: 'frames.ready',
  birth: 'frames.birth',
  gone: 'frames.gone',
  'going-down': 'frames.going-down',
  report: 'frames.report',
  heartbeat: 'frames.heartbeat',
  event: 'frames.event',
  reply: 'frames.reply',
  access: 'frames.access',
  tombstone: 'frames.tombstone',
} as const satisfies Readonly<Record<Frame['message']['kind'], string>>;
