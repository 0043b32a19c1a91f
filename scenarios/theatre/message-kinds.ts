import { decodePayload } from '../../protocol/frame.ts';
import type { Message } from '../../protocol/message.ts';
import type { Direction, Passing } from '../../world/climate.ts';
import type { MessageKind } from '../language/weather.ts';

/** By which a message is known on its way; that of the exchange passes none of these links. */
export const MESSAGE_KINDS: Readonly<
  Record<Exclude<MessageKind, 'amqp-confirm'>, (passing: Passing) => boolean>
> = {
  puback: ({ direction, kind }) => direction === 'down' && kind === 'PUBACK',
  receipt: frames('down', ['receipt']),
  'command-request': frames('down', ['command', 'configuration']),
  'command-reply': frames('up', ['reply']),
};

function frames(way: Direction, kinds: readonly Message['kind'][]): (passing: Passing) => boolean {
  return ({ direction, kind, payload }) =>
    direction === way &&
    kind === 'PUBLISH' &&
    decodePayload(payload).frames.some(({ frame }) => kinds.includes(frame.message.kind));
}
