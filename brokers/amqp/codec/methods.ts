/**
 * The classes and methods of AMQP 0-9-1 with RabbitMQ's additions (confirm, basic.nack, exchange.bind,
 * connection.blocked, connection.update-secret), named as in the published tables: class and method id, then
 * the arguments in order.
 */
export type FieldKind = 'bit' | 'octet' | 'short' | 'long' | 'longlong' | 'shortstr' | 'longstr' | 'table';

interface MethodRow {
  readonly id: readonly [classId: number, methodId: number];
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** A content header and a body follow. */
  readonly hasContent?: true;
}

const REASON = { replyCode: 'short', replyText: 'shortstr', classId: 'short', methodId: 'short' } as const;
const BINDING = {
  reserved1: 'short',
  destination: 'shortstr',
  source: 'shortstr',
  routingKey: 'shortstr',
  noWait: 'bit',
  arguments: 'table',
} as const;

export const METHODS = {
  'connection.start': {
    id: [10, 10],
    fields: {
      versionMajor: 'octet',
      versionMinor: 'octet',
      serverProperties: 'table',
      mechanisms: 'longstr',
      locales: 'longstr',
    },
  },
  'connection.start-ok': {
    id: [10, 11],
    fields: { clientProperties: 'table', mechanism: 'shortstr', response: 'longstr', locale: 'shortstr' },
  },
  'connection.tune': { id: [10, 30], fields: { channelMax: 'short', frameMax: 'long', heartbeatS: 'short' } },
  'connection.tune-ok': {
    id: [10, 31],
    fields: { channelMax: 'short', frameMax: 'long', heartbeatS: 'short' },
  },
  'connection.open': {
    id: [10, 40],
    fields: { virtualHost: 'shortstr', reserved1: 'shortstr', reserved2: 'bit' },
  },
  'connection.open-ok': { id: [10, 41], fields: { reserved1: 'shortstr' } },
  'connection.close': { id: [10, 50], fields: REASON },
  'connection.close-ok': { id: [10, 51], fields: {} },
  'connection.blocked': { id: [10, 60], fields: { reason: 'shortstr' } },
  'connection.unblocked': { id: [10, 61], fields: {} },
  'connection.update-secret': { id: [10, 70], fields: { newSecret: 'longstr', reason: 'shortstr' } },
  'connection.update-secret-ok': { id: [10, 71], fields: {} },
  'channel.open': { id: [20, 10], fields: { reserved1: 'shortstr' } },
  'channel.open-ok': { id: [20, 11], fields: { reserved1: 'longstr' } },
  'channel.flow': { id: [20, 20], fields: { active: 'bit' } },
  'channel.flow-ok': { id: [20, 21], fields: { active: 'bit' } },
  'channel.close': { id: [20, 40], fields: REASON },
  'channel.close-ok': { id: [20, 41], fields: {} },
  'access.request': {
    id: [30, 10],
    fields: {
      realm: 'shortstr',
      exclusive: 'bit',
      passive: 'bit',
      active: 'bit',
      write: 'bit',
      read: 'bit',
    },
  },
  'access.request-ok': { id: [30, 11], fields: { reserved1: 'short' } },
  'exchange.declare': {
    id: [40, 10],
    fields: {
      reserved1: 'short',
      exchange: 'shortstr',
      type: 'shortstr',
      passive: 'bit',
      durable: 'bit',
      autoDelete: 'bit',
      internal: 'bit',
      noWait: 'bit',
      arguments: 'table',
    },
  },
  'exchange.declare-ok': { id: [40, 11], fields: {} },
  'exchange.delete': {
    id: [40, 20],
    fields: { reserved1: 'short', exchange: 'shortstr', ifUnused: 'bit', noWait: 'bit' },
  },
  'exchange.delete-ok': { id: [40, 21], fields: {} },
  'exchange.bind': { id: [40, 30], fields: BINDING },
  'exchange.bind-ok': { id: [40, 31], fields: {} },
  'exchange.unbind': { id: [40, 40], fields: BINDING },
  'exchange.unbind-ok': { id: [40, 51], fields: {} },
  'queue.declare': {
    id: [50, 10],
    fields: {
      reserved1: 'short',
      queue: 'shortstr',
      passive: 'bit',
      durable: 'bit',
      exclusive: 'bit',
      autoDelete: 'bit',
      noWait: 'bit',
      arguments: 'table',
    },
  },
  'queue.declare-ok': {
    id: [50, 11],
    fields: { queue: 'shortstr', messageCount: 'long', consumerCount: 'long' },
  },
  'queue.bind': {
    id: [50, 20],
    fields: {
      reserved1: 'short',
      queue: 'shortstr',
      exchange: 'shortstr',
      routingKey: 'shortstr',
      noWait: 'bit',
      arguments: 'table',
    },
  },
  'queue.bind-ok': { id: [50, 21], fields: {} },
  'queue.purge': { id: [50, 30], fields: { reserved1: 'short', queue: 'shortstr', noWait: 'bit' } },
  'queue.purge-ok': { id: [50, 31], fields: { messageCount: 'long' } },
  'queue.delete': {
    id: [50, 40],
    fields: { reserved1: 'short', queue: 'shortstr', ifUnused: 'bit', ifEmpty: 'bit', noWait: 'bit' },
  },
  'queue.delete-ok': { id: [50, 41], fields: { messageCount: 'long' } },
  'queue.unbind': {
    id: [50, 50],
    fields: {
      reserved1: 'short',
      queue: 'shortstr',
      exchange: 'shortstr',
      routingKey: 'shortstr',
      arguments: 'table',
    },
  },
  'queue.unbind-ok': { id: [50, 51], fields: {} },
  'basic.qos': { id: [60, 10], fields: { prefetchSize: 'long', prefetchCount: 'short', global: 'bit' } },
  'basic.qos-ok': { id: [60, 11], fields: {} },
  'basic.consume': {
    id: [60, 20],
    fields: {
      reserved1: 'short',
      queue: 'shortstr',
      consumerTag: 'shortstr',
      noLocal: 'bit',
      noAck: 'bit',
      exclusive: 'bit',
      noWait: 'bit',
      arguments: 'table',
    },
  },
  'basic.consume-ok': { id: [60, 21], fields: { consumerTag: 'shortstr' } },
  'basic.cancel': { id: [60, 30], fields: { consumerTag: 'shortstr', noWait: 'bit' } },
  'basic.cancel-ok': { id: [60, 31], fields: { consumerTag: 'shortstr' } },
  'basic.publish': {
    id: [60, 40],
    fields: {
      reserved1: 'short',
      exchange: 'shortstr',
      routingKey: 'shortstr',
      mandatory: 'bit',
      immediate: 'bit',
    },
    hasContent: true,
  },
  'basic.return': {
    id: [60, 50],
    fields: { replyCode: 'short', replyText: 'shortstr', exchange: 'shortstr', routingKey: 'shortstr' },
    hasContent: true,
  },
  'basic.deliver': {
    id: [60, 60],
    fields: {
      consumerTag: 'shortstr',
      deliveryTag: 'longlong',
      redelivered: 'bit',
      exchange: 'shortstr',
      routingKey: 'shortstr',
    },
    hasContent: true,
  },
  'basic.get': { id: [60, 70], fields: { reserved1: 'short', queue: 'shortstr', noAck: 'bit' } },
  'basic.get-ok': {
    id: [60, 71],
    fields: {
      deliveryTag: 'longlong',
      redelivered: 'bit',
      exchange: 'shortstr',
      routingKey: 'shortstr',
      messageCount: 'long',
    },
    hasContent: true,
  },
  'basic.get-empty': { id: [60, 72], fields: { reserved1: 'shortstr' } },
  'basic.ack': { id: [60, 80], fields: { deliveryTag: 'longlong', multiple: 'bit' } },
  'basic.reject': { id: [60, 90], fields: { deliveryTag: 'longlong', requeue: 'bit' } },
  'basic.recover-async': { id: [60, 100], fields: { requeue: 'bit' } },
  'basic.recover': { id: [60, 110], fields: { requeue: 'bit' } },
  'basic.recover-ok': { id: [60, 111], fields: {} },
  'basic.nack': { id: [60, 120], fields: { deliveryTag: 'longlong', multiple: 'bit', requeue: 'bit' } },
  'confirm.select': { id: [85, 10], fields: { noWait: 'bit' } },
  'confirm.select-ok': { id: [85, 11], fields: {} },
  'tx.select': { id: [90, 10], fields: {} },
  'tx.commit': { id: [90, 20], fields: {} },
  'tx.rollback': { id: [90, 30], fields: {} },
} as const satisfies Readonly<Record<string, MethodRow>>;

export type MethodName = keyof typeof METHODS;
