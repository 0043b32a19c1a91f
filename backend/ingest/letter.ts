import { decodePayload, type Payload } from '../../protocol/frame.ts';
import { type Channel, parseTopic } from '../../protocol/topics.ts';

/** A payload as it came from the broker. */
export interface Arrival {
  readonly topic: string;
  readonly bytes: Uint8Array;
  readonly retained: boolean;
  readonly receivedMs: number;
}

/** A payload with its sender known and its frames read; or, on a topic of nobody, just the bytes. */
export type Letter = BoxLetter | ForeignLetter;

export interface BoxLetter extends Arrival {
  readonly kind: 'box';
  readonly boxId: string;
  readonly channel: Exclude<Channel, 'down'>;
  readonly payload: Payload;
}

export interface ForeignLetter extends Arrival {
  readonly kind: 'foreign';
}

/** Reads an arrival. Total: whatever the topic and the bytes. */
export function readLetter(arrival: Arrival): Letter {
  const address = parseTopic(arrival.topic);
  if (address === undefined || address.channel === 'down') return { ...arrival, kind: 'foreign' };
  return {
    ...arrival,
    kind: 'box',
    boxId: address.boxId,
    channel: address.channel,
    payload: decodePayload(arrival.bytes),
  };
}

/** The boxes that the letters came from, each once. */
export function sendersOf(letters: readonly Letter[]): readonly string[] {
  const boxIds = new Set<string>();
  for (const letter of letters) if (letter.kind === 'box') boxIds.add(letter.boxId);
  return [...boxIds];
}

/** The requests that are answered in the letters, each once. */
export function requestsAnswered(letters: readonly Letter[]): readonly string[] {
  const requestIds = new Set<string>();
  for (const letter of letters) {
    if (letter.kind !== 'box') continue;
    for (const { frame } of letter.payload.frames)
      if (frame.message.kind === 'reply') requestIds.add(frame.message.requestId);
  }
  return [...requestIds];
}
