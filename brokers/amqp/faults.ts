import { shortenedText } from './codec/fields.ts';

/** AMQP's reply codes and RabbitMQ's names for them, with which every text begins. */
export const REPLY_CODES = {
  311: 'CONTENT_TOO_LARGE',
  312: 'NO_ROUTE',
  320: 'CONNECTION_FORCED',
  402: 'INVALID_PATH',
  403: 'ACCESS_REFUSED',
  404: 'NOT_FOUND',
  405: 'RESOURCE_LOCKED',
  406: 'PRECONDITION_FAILED',
  501: 'FRAME_ERROR',
  502: 'SYNTAX_ERROR',
  503: 'COMMAND_INVALID',
  504: 'CHANNEL_ERROR',
  505: 'UNEXPECTED_FRAME',
  506: 'RESOURCE_ERROR',
  530: 'NOT_ALLOWED',
  540: 'NOT_IMPLEMENTED',
  541: 'INTERNAL_ERROR',
} as const;

export type ReplyCode = keyof typeof REPLY_CODES;

/** Why a method is refused. The channel is closed, or for the codes of `endsConnection` the connection. */
export interface AmqpFault {
  readonly code: ReplyCode;
  readonly text: string;
}

export function fault(code: ReplyCode, detail: string): AmqpFault {
  return { code, text: shortenedText(`${REPLY_CODES[code]} - ${detail}`) };
}

/** AMQP's hard errors: the peer violates the protocol, so that no channel can be trusted. */
export function endsConnection(code: ReplyCode): boolean {
  return code === 320 || code >= 501 || code === 402;
}

export const describeQueue = (name: string) => `queue '${name}' in vhost '/'`;
export const describeExchange = (name: string) => `exchange '${name}' in vhost '/'`;

export const noQueue = (name: string) => fault(404, `no ${describeQueue(name)}`);
export const noExchange = (name: string) => fault(404, `no ${describeExchange(name)}`);
