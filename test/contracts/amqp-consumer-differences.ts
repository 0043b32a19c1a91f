/**
 * Where the embedded broker differs from RabbitMQ 3.10 for a consumer or publisher, and why. Tests name the
 * row that they need; docs/decisions/0010 has the same rows.
 */
export const DIFFERENCES = {
  'told-at-once': {
    what: 'A handshake that goes wrong ends with a connection.close that says why (403, 503, 530); RabbitMQ says so only for a wrong password and a missing virtual host, and else hangs up after 3 s without a word.',
    why: 'Whoever sets up a consumer reads the reason; the sign-in itself is slow by its hash.',
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
    what: 'tx.select, tx.commit and tx.rollback close the connection with 540; RabbitMQ has transactions.',
    why: 'Nobody here uses them: confirms do more for less.',
  },
  streams: {
    what: 'A queue of the type stream is refused with 406.',
    why: 'Nobody here uses them.',
  },
  'quorum-is-local': {
    what: 'A quorum queue is kept as a durable classic one that also keeps transient messages. It counts deliveries from zero again after a restart, and a message that comes back regains its place; RabbitMQ puts it behind the others.',
    why: 'There is one node, deliveries are not written down, and the messages of a vehicle keep their order.',
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
    what: 'At most 512 open connections, 10,000 queues, 1,000 exchanges, 20,000 bindings, 1,000 consumers of a channel and 50,000 unacknowledged messages of a channel: one more connection is refused with 530 at connection.open, one more declaration with 406, one more delivery waits.',
    why: 'Bounded memory: RabbitMQ has no such bound unless it is set.',
  },
  'waiting-bound': {
    what: 'Connections that are not open count apart: at most 256, of which 192 of one address. One more takes the place of the oldest that has not signed in, which is severed.',
    why: 'Strangers who say nothing take no place from those who sign in; RabbitMQ has no such bound.',
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
  'direct-reply-bound': {
    what: 'Where 4 MiB are written to a caller and not taken, one more direct reply closes its connection with 506.',
    why: 'Bounded memory: a reply waits in no queue.',
  },
  'idle-until-open': {
    what: 'User and password must come within 5 s and connection.open within 10 s, the handshake of TLS included, and the answer to a close within 2 s.',
    why: 'Places are few; RabbitMQ has the same 10 s for the whole and waits longer for the close.',
  },
  redelivered: {
    what: 'After a restart every kept message counts as redelivered; at RabbitMQ only what was delivered before.',
    why: 'Deliveries are not written down, and it may have been.',
  },
  'passive-needs-a-right': {
    what: 'A passive declaration of a queue to which the user has no right at all is refused with 403, whether the queue is there or not; RabbitMQ allows it, and tells the length.',
    why: 'The account of a subscription learns nothing of the queues of others.',
  },
  'right-named': {
    what: 'A refusal for a missing right names the right (configure access to ...), as newer versions of RabbitMQ do; 3.10 leaves the word out.',
    why: 'Whoever grants rights reads which one is missing.',
  },
  'unacknowledged-for-ever': {
    what: 'A delivery may stay unacknowledged as long as its channel is open; RabbitMQ closes the channel with 406 after 30 minutes.',
    why: 'A consumer may stand still in a debugger.',
  },
  'ends-at-once': {
    what: 'What a connection holds at its end is ready again once all its consumers are gone; at RabbitMQ its channels end one after the other, and a consumer of another one may take it: without acknowledgements it is lost.',
    why: 'No message is lost to a connection that is closing.',
  },
  'full-disk': {
    what: 'While its file cannot be written, what must be on disk before it may be answered (a new durable exchange, queue or binding, a deletion, a purge) closes the connection with 506, at once or within 2 s; publishers are blocked, and all else goes on. RabbitMQ blocks publishers while some of the disk is still free, and goes down when it is full.',
    why: 'An answer must be true, and no answer at all helps nobody.',
  },
  'no-tracing': {
    what: 'The exchange amq.rabbitmq.trace is not there (404).',
    why: 'Nothing is traced.',
  },
  'values-without-effect': {
    what: 'Arguments that change nothing here are taken with any value: x-queue-version, x-queue-leader-locator, x-quorum-initial-group-size, x-dead-letter-strategy, x-max-in-memory-length, x-max-in-memory-bytes, x-credit.',
    why: 'There is one node and one way to keep a queue.',
  },
  'server-properties': {
    what: 'connection.start has the same properties, but product, version and platform are those of boxtwin, and the capability consumer_priorities is missing.',
    why: 'Clients show them and go by the capabilities; a version of RabbitMQ would be a lie.',
  },
} as const satisfies Readonly<Record<string, { readonly what: string; readonly why: string }>>;

export type Difference = keyof typeof DIFFERENCES;
