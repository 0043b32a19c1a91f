/**
 * Where the embedded broker differs from RabbitMQ 3.10 for a consumer or publisher, and why. Tests name the row that
 * they need; docs/decisions/0010 holds the same rows.
 */
export const DIFFERENCES = {
  'told-at-once': {
    what: 'A handshake that goes wrong ends with a connection.close that says why (403, 503, 530); RabbitMQ says so only for a wrong password and a missing virtual host, and else hangs up after 3 s without a word.',
    why: 'Whoever sets up a consumer reads the reason; the sign-in itself is slow by its hash.',
  },
  'plain-only': {
    what: 'PLAIN is the only mechanism; AMQPLAIN and EXTERNAL are refused.',
    why: 'Every client has PLAIN, and TLS protects it.',
  },
  'plain-words': {
    what: 'The detail of 501, 502 and 505 for a frame that cannot be read is in plain words; RabbitMQ says Erlang terms, and 541 for a content header. The codes are the same but for that header, which is 502.',
    why: 'An Erlang term tells the reader nothing, and a fault of the client is none of ours.',
  },
  'unknown-method': {
    what: 'A method that no table has closes the connection with 503; RabbitMQ hangs up without a word.',
    why: 'The specification has a code for it (section 4.7).',
  },
  transactions: {
    what: 'tx.select, tx.commit and tx.rollback close the connection with 540.',
    why: 'Nobody here uses them: confirms do more for less.',
  },
  streams: {
    what: 'A queue of the type stream is refused with 406.',
    why: 'Nobody here uses them.',
  },
  'quorum-is-classic': {
    what: 'A quorum queue is kept as a durable classic one: no x-delivery-count, no x-delivery-limit.',
    why: 'There is one node; the declarations stay the same for both brokers.',
  },
  priorities: {
    what: 'x-max-priority and the priority of a message or a consumer order nothing.',
    why: 'Messages of a vehicle keep their order; a priority would break it.',
  },
  'message-bound': {
    what: 'A message has at most 4 MiB; a larger one is refused with 406 at its header. RabbitMQ takes 128 MiB and refuses after the body.',
    why: 'Bounded memory: all messages are in memory too.',
  },
  'channel-bound': {
    what: 'A connection has at most 255 channels, and connection.tune says so; RabbitMQ proposes 2047.',
    why: 'Bounded memory.',
  },
  'counts-bound': {
    what: 'At most 512 connections, 10,000 queues, 1,000 exchanges, 20,000 bindings, 1,000 consumers of a channel and 50,000 unacknowledged messages of a channel: one more declaration is refused with 406, one more delivery waits.',
    why: 'Bounded memory: RabbitMQ has no such bound unless it is set.',
  },
  'slow-reader': {
    what: 'A connection that takes nothing of what was written to it for 60 s is severed, with or without heartbeats.',
    why: 'Bounded memory: its buffer holds 1 MiB and its deliveries wait.',
  },
  'line-breaks': {
    what: 'Line breaks in a name stay; RabbitMQ takes them out.',
    why: 'A name that is changed in silence is found by nobody.',
  },
  'cancel-first': {
    what: 'Consumers of a deleted queue are told before the deletion is answered; at RabbitMQ the order is open.',
    why: 'The core takes one step after the other.',
  },
  'direct-reply-to': {
    what: 'The queue amq.rabbitmq.reply-to is not there (404): callers declare a reply queue.',
    why: 'Nobody here calls over the broker, and an exclusive queue does the same.',
  },
  'idle-until-open': {
    what: 'The handshake may take 10 s, its sign-in included, and a close 2 s until it is answered.',
    why: 'Half-open connections are few; RabbitMQ has the same 10 s and waits longer for the close.',
  },
  redelivered: {
    what: 'After a restart every kept message counts as redelivered; at RabbitMQ only what was delivered before.',
    why: 'Deliveries are not written down, and it may have been.',
  },
} as const satisfies Readonly<Record<string, { readonly what: string; readonly why: string }>>;

export type Difference = keyof typeof DIFFERENCES;
