import { MESSAGE_NAMES, TOPICS } from '../../contract/messages.ts';
import type { AmqpDelivery } from '../../world/amqp/amqp-consumer.ts';
import { withArticle } from '../../world/article.ts';
import { valueAt } from '../../world/json.ts';
import type { AnsweredCall, RecordedFrame } from '../evidence/evidence.ts';
import { FirstIds } from '../rules/messages/first-ids.ts';
import { judged, type Verdict } from '../verdict.ts';
import { limits } from './limits.ts';
import { type MessagesDocument, makeMessageValidator } from './message-validator.ts';
import type { PointPlan } from './point.ts';

/** A message as it was read from a queue. */
export interface ReadMessage {
  readonly atMs: number;
  readonly topic: string;
  readonly delivery: AmqpDelivery;
  /** Its body as JSON; undefined: it is not JSON. */
  readonly body: unknown;
}

/** What messages are compared with. */
export interface MessageEvidence {
  readonly document: MessagesDocument;
  /** In the order of arrival, repeats included. */
  readonly messages: readonly ReadMessage[];
  /** Calls of the same time. */
  readonly calls: readonly AnsweredCall[];
  /** What the box of each vehicle sent since `countedMs`, oldest first: counting starts then. */
  readonly sent: ReadonlyMap<string, readonly RecordedFrame[]>;
  readonly countedMs: number;
  readonly fleetId: string;
}

const NONE = 'No message came, so that there was nothing to judge.';

const point = (name: string, about: string, clause: string): PointPlan => ({
  id: `message/${name}`,
  about,
  clause,
});

type Judge = (evidence: MessageEvidence) => Verdict;

/** The promises about messages, with their judges. */
export const MESSAGE_POINTS: readonly { readonly plan: PointPlan; readonly judge: Judge }[] = [
  {
    plan: point('bodies', 'Each message is as its schema says.', 'docs/messages.md, The AsyncAPI document'),
    judge: (evidence) => judgeByDocument(evidence, (text) => text.startsWith('Its body')),
  },
  {
    plan: point('headers', 'Headers and properties of AMQP say what the metadata says.', 'docs/messages.md'),
    judge: (evidence) => judgeByDocument(evidence, (text) => !text.startsWith('Its body')),
  },
  {
    plan: point(
      'queues',
      'A queue holds the messages of its topic and of its fleet, and no others.',
      'docs/messages.md',
    ),
    judge: judgeQueues,
  },
  {
    plan: point(
      'ids',
      'A repeated message has the same id and the same body, and no two reports share a flow.',
      'docs/messages.md',
    ),
    judge: judgeIds,
  },
  {
    plan: point(
      'order',
      'Messages of a vehicle come in the order in which its reports were stored.',
      'docs/messages.md, Order',
    ),
    judge: judgeOrder,
  },
  {
    plan: point(
      'records',
      'Each report of a box leads to one message: none is lost, and none comes twice under another id.',
      'docs/messages.md',
    ),
    judge: judgeRecords,
  },
  {
    plan: point(
      'commands',
      'A vehicle command leads to a message with its flow id, and with the state that it was answered with.',
      'docs/messages.md, VehicleStateReceived',
    ),
    judge: judgeCommands,
  },
  {
    plan: point(
      'changes',
      'A change of the record leads to VehicleDataChanged with its flow id.',
      'docs/messages.md, VehicleDataChanged',
    ),
    judge: judgeChanges,
  },
  {
    plan: point(
      'times',
      'No property is younger than received_at, and that is the time by the wall clock.',
      'docs/messages.md, Times',
    ),
    judge: judgeTimes,
  },
];

function judgeByDocument(
  { document, messages }: MessageEvidence,
  isOurs: (finding: string) => boolean,
): Verdict {
  const validator = makeMessageValidator(document, 'allowed');
  const complaints = messages.flatMap(({ delivery }) => {
    const { routingKey, properties, headers, body } = delivery;
    const { messageId, type, timestampS, contentType } = properties;
    const observed = { routingKey, body, messageId, type, timestampS, contentType, headers };
    return validator
      .findings(observed)
      .filter(isOurs)
      .map((finding) => `${nameOf(delivery.properties.messageId)}: ${finding}`);
  });
  return judged('messages as the AsyncAPI document has them', complaints, seen(messages), NONE);
}

const MESSAGE_OF_TOPIC: ReadonlyMap<string, string> = new Map(
  TOPICS.map(({ topic, message }) => [topic, message]),
);

function judgeQueues({ messages, fleetId }: MessageEvidence): Verdict {
  const complaints = messages.flatMap(({ topic, body, delivery }) => {
    const wanted = MESSAGE_OF_TOPIC.get(topic);
    const name = messageNameOf(body);
    const id = nameOf(delivery.properties.messageId);
    const fleet = valueAt(body, 'data', 'fleet_id');
    return [
      ...(name === wanted
        ? []
        : [
            `${id} of the queue ${topic} is ${withArticle(String(name))}, and not ${withArticle(String(wanted))}.`,
          ]),
      ...(fleet === fleetId
        ? []
        : [`${id} is of the fleet ${String(fleet)}, and the subscription of ${fleetId}.`]),
    ];
  });
  return judged('messages of the topic and of the fleet', complaints, seen(messages), NONE);
}

function judgeIds({ messages }: MessageEvidence): Verdict {
  const bodies = new Map<string, string>();
  const flows = new FirstIds();
  const complaints: string[] = [];
  for (const { body } of messages) {
    const id = String(valueAt(body, 'metadata', 'message_id'));
    const text = JSON.stringify(body);
    const known = bodies.get(id);
    if (known !== undefined && known !== text) complaints.push(`${nameOf(id)} came with two bodies.`);
    bodies.set(id, text);
    if (messageNameOf(body) !== 'VehicleStateReceived') continue;
    const flow = String(valueAt(body, 'metadata', 'flow_id'));
    const other = flows.otherThan(id, flow);
    if (other !== undefined) complaints.push(`The messages ${other} and ${id} have one flow, ${flow}.`);
  }
  return judged('one id, one body; one flow, one report', complaints, seen(messages), NONE);
}

function judgeOrder(evidence: MessageEvidence): Verdict {
  const complaints: string[] = [];
  for (const [vehicleId, own] of statesByVehicle(evidence)) {
    let beforeMs = 0;
    for (const { body } of own) {
      const receivedMs = Date.parse(String(valueAt(body, 'data', 'received_at')));
      const id = String(valueAt(body, 'metadata', 'message_id'));
      if (receivedMs < beforeMs)
        complaints.push(
          `${nameOf(id)} of ${vehicleId}, received at ${isoOf(receivedMs)}, came after one of ${isoOf(beforeMs)}.`,
        );
      beforeMs = Math.max(beforeMs, receivedMs);
    }
  }
  return judged('rising received_at for each vehicle', complaints, seen(evidence.messages), NONE);
}

/** Between the messages of the first and the last command of a vehicle there are as many as the reports of its box. */
function judgeRecords(evidence: MessageEvidence): Verdict {
  const complaints: string[] = [];
  let count = 0;
  const states = statesByVehicle(evidence);
  const flows = new Set(
    evidence.calls.flatMap(({ askedMs, flowId }) => (askedMs >= evidence.countedMs ? [flowId] : [])),
  );
  for (const [vehicleId, frames] of evidence.sent) {
    const records = reportsOf(frames);
    const replies = records.flatMap(({ message }, index) => (message.kind === 'reply' ? [index] : []));
    const sent = between(replies);
    const messages = states.get(vehicleId) ?? [];
    const answers = messages.flatMap(({ body }, index) =>
      flows.has(String(valueAt(body, 'metadata', 'flow_id'))) ? [index] : [],
    );
    const came = between(answers);
    if (sent === undefined) continue;
    count += sent;
    if (came !== sent)
      complaints.push(
        `The box of ${vehicleId} sent ${sent} reports between its replies, and ${came === undefined ? 'the messages of these did not come' : `${came} messages came`}.`,
      );
  }
  return judged(
    'as many messages as reports',
    complaints,
    { count, what: 'reports with their messages' },
    'No box has answered two commands, so that there was nothing to count between them.',
  );
}

function judgeCommands({ calls, messages }: MessageEvidence): Verdict {
  const complaints: string[] = [];
  const sent = calls.filter(
    ({ method, path }) => method === 'POST' && /^\/vehicles\/[^/]+\/commands\//.test(path),
  );
  const asked = sent.filter(({ status }) => status === 200);
  if (asked.length === 0)
    complaints.push(
      ...sent.map(({ path, status, problem }) => `POST ${path} answered ${status} ${problem ?? ''}.`),
    );
  for (const { path, flowId, body, vehicle } of asked) {
    const found = messages.find((one) => valueAt(one.body, 'metadata', 'flow_id') === flowId);
    const what = `POST ${path}, flow ${String(flowId)}`;
    if (found === undefined) {
      complaints.push(`${what}: no message of that flow came within ${limits.messageMs / 1_000} s.`);
      continue;
    }
    const { channel, correlation_id: correlation } = (valueAt(found.body, 'data', 'triggered_by') ??
      {}) as Readonly<Record<string, unknown>>;
    if (channel !== 'API_COMMAND' || correlation !== flowId)
      complaints.push(`${what}: its message is triggered by ${String(channel)} ${String(correlation)}.`);
    const of = valueAt(found.body, 'data', 'vehicle_id');
    if (of !== vehicle?.vehicleId) complaints.push(`${what}: its message is of the vehicle ${String(of)}.`);
    if (sortedText(valueAt(found.body, 'data', 'vehicle_state')) !== sortedText(body))
      complaints.push(`${what}: the state of its message is not the one that was answered.`);
  }
  return judged(
    'the message of each command',
    complaints,
    { count: asked.length, what: 'commands with their messages' },
    'No vehicle takes commands, so that there was nothing to look for.',
  );
}

function judgeChanges({ calls, messages }: MessageEvidence): Verdict {
  const asked = calls.filter(({ method, status }) => method === 'PATCH' && status === 200);
  const complaints = asked.flatMap(({ path, flowId }) => {
    const found = messages.some(
      ({ body }) =>
        valueAt(body, 'metadata', 'flow_id') === flowId && messageNameOf(body) === 'VehicleDataChanged',
    );
    return found ? [] : [`PATCH ${path}, flow ${String(flowId)}: no VehicleDataChanged of that flow came.`];
  });
  return judged(
    'the message of each change',
    complaints,
    { count: asked.length, what: 'changes with their messages' },
    'No change succeeded, so that there was nothing to look for.',
  );
}

function judgeTimes({ messages }: MessageEvidence): Verdict {
  const complaints = messages.flatMap(({ body, atMs }) => {
    const told = valueAt(body, 'data', 'received_at');
    if (told === undefined) return [];
    const id = nameOf(String(valueAt(body, 'metadata', 'message_id')));
    const receivedMs = Date.parse(String(told));
    const state = (valueAt(body, 'data', 'vehicle_state') ?? {}) as Readonly<Record<string, unknown>>;
    const late = Object.entries(state).filter(
      ([, property]) => Date.parse(String(valueAt(property, 'timestamp'))) > receivedMs + 999,
    );
    return [
      ...late.map(([name]) => `${id}: the timestamp of ${name} is after received_at, ${String(told)}.`),
      ...(receivedMs <= atMs + limits.clockMs
        ? []
        : [`${id}: received_at is ${String(told)}, and it came at ${isoOf(atMs)}.`]),
    ];
  });
  return judged('timestamps up to received_at', complaints, seen(messages), NONE);
}

/** The states of each vehicle by their first arrival. */
function statesByVehicle({ messages }: MessageEvidence): ReadonlyMap<string, readonly ReadMessage[]> {
  const ids = new Set<string>();
  const first = messages.filter(({ body }) => {
    const id = String(valueAt(body, 'metadata', 'message_id'));
    const isNew = !ids.has(id);
    ids.add(id);
    return isNew && messageNameOf(body) === 'VehicleStateReceived';
  });
  return Map.groupBy(first, ({ body }) => String(valueAt(body, 'data', 'vehicle_id')));
}

/** Records that lead to a state message, by their first sending. */
function reportsOf(frames: readonly RecordedFrame[]): readonly RecordedFrame[] {
  const keys = new Set<string>();
  return frames.filter(({ direction, epoch, sequence, message }) => {
    const key = `${epoch}/${sequence}`;
    if (direction !== 'up' || sequence === 0 || keys.has(key)) return false;
    keys.add(key);
    const isState = ['report', 'heartbeat', 'event', 'access'].includes(message.kind);
    return isState || (message.kind === 'reply' && message.signals !== undefined);
  });
}

/** The number between the first and the last of these places; undefined: there are not two. */
function between(places: readonly number[]): number | undefined {
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  return last - first - 1;
}

function messageNameOf(body: unknown): string | undefined {
  const type = String(valueAt(body, 'metadata', 'message_type'));
  return MESSAGE_NAMES.find((name) => type === name || type.endsWith(`.${name}`));
}

function seen(messages: readonly unknown[]): { readonly count: number; readonly what: string } {
  return { count: messages.length, what: 'messages' };
}

function nameOf(messageId: string | undefined): string {
  return `Message ${messageId ?? 'without an id'}`;
}

function isoOf(ms: number): string {
  return Number.isNaN(ms) ? 'no time' : new Date(ms).toISOString();
}

/** JSON with sorted names, so that equal values have equal texts. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
