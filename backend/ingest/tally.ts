import type { Fault } from '../../protocol/fault.ts';
import { limits } from '../limits.ts';
import type { Quarantined } from '../store/ingest-store.ts';
import type { Arrival, BoxLetter } from './letter.ts';
import type { Trouble, TroubleKind } from './plan.ts';

/** What piles up while letters are folded: counts, troubles, quarantine. */
export class Tally {
  readonly counts = new Map<string, number>();
  readonly troubles: Trouble[] = [];
  readonly quarantine: Quarantined[] = [];

  count(name: string, amount = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + amount);
  }

  trouble(kind: TroubleKind, boxId: string, detail: string): void {
    this.count(`troubles.${kind}`);
    this.troubles.push({ kind, boxId, detail });
  }

  /** Puts the bytes from `start` to `end` of an arrival in quarantine. */
  keep(arrival: Arrival, boxId: string, fault: string, detail: string, start: number, end: number): void {
    this.count('quarantined');
    this.quarantine.push({
      boxId,
      receivedMs: arrival.receivedMs,
      fault,
      offset: start,
      detail,
      bytes: arrival.bytes.subarray(start, Math.min(end, start + limits.quarantineBytes)),
    });
  }

  /** Refuses a whole payload. */
  refuseLetter(arrival: Arrival, boxId: string, kind: TroubleKind, detail: string): void {
    this.trouble(kind, boxId, detail);
    this.keep(arrival, boxId, kind, detail, 0, arrival.bytes.length);
  }

  /** Refuses one frame of a payload that could be read but must not be. */
  refuseFrame(
    letter: BoxLetter,
    placed: { readonly start: number; readonly end: number },
    kind: TroubleKind,
    detail: string,
  ): void {
    this.trouble(kind, letter.boxId, detail);
    this.keep(letter, letter.boxId, kind, detail, placed.start, placed.end);
  }

  /** Notes bytes that could not be decoded; beyond so many of one payload they are only counted. */
  undecodable(
    letter: BoxLetter,
    index: number,
    fault: Fault,
    place: { readonly start: number; readonly end: number },
  ): void {
    this.count(`faults.${fault.fault}`);
    this.trouble('undecodable', letter.boxId, `${fault.fault} at byte ${fault.offset}: ${fault.detail}`);
    if (index >= limits.faultsPerPayload) return;
    this.count('quarantined');
    this.quarantine.push({
      boxId: letter.boxId,
      receivedMs: letter.receivedMs,
      fault: fault.fault,
      offset: fault.offset,
      detail: fault.detail,
      bytes: letter.bytes.subarray(place.start, Math.min(place.end, place.start + limits.quarantineBytes)),
    });
  }
}
