import { decodePayload, payloadOf } from '../../protocol/frame.ts';
import type { Generation, Message } from '../../protocol/message.ts';
import type { Signals } from '../../protocol/signals.ts';
import { START_MS } from './vehicles.ts';

/** Signals as they come out of a box of that generation at the other end of the wire. */
export function overTheWire(signals: Signals, generation: Generation): Signals {
  const message: Message = { kind: 'report', cause: 'time', signals };
  const head = { generation, epoch: 1, boot: 1, sequence: 1, clockMs: START_MS };
  const [placed] = decodePayload(payloadOf([{ ...head, message }])).frames;
  if (placed?.frame.message.kind !== 'report') throw new Error('no report came out');
  return placed.frame.message.signals;
}
