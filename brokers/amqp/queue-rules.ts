import { limits } from '../limits.ts';
import {
  type AmqpField,
  type AmqpTable,
  integerOf,
  numberOf,
  TYPE_NAMES,
  tableOf,
  textOf,
} from './codec/fields.ts';
import type { AmqpFault } from './faults.ts';
import { describeQueue, fault } from './faults.ts';

/** The rules that the arguments of a queue set. */
export interface QueueRules {
  /** It counts deliveries, and keeps every message on disk. */
  readonly isQuorum: boolean;
  /** How often a delivery of a message may come back; one more, and it is dead-lettered. Of a quorum queue only. */
  readonly deliveryLimit: number | undefined;
  readonly ttlMs: number | undefined;
  readonly expiresMs: number | undefined;
  readonly maxLength: number | undefined;
  readonly maxBytes: number | undefined;
  readonly overflow: 'drop-head' | 'reject-publish' | 'reject-publish-dlx';
  readonly deadLetterExchange: string | undefined;
  readonly deadLetterKey: string | undefined;
  readonly singleActive: boolean;
}

const OVERFLOWS = ['drop-head', 'reject-publish', 'reject-publish-dlx'] as const;
const MODES = ['default', 'lazy'];
const QUEUE_TYPES = ['classic', 'quorum'];

/** Arguments of queues and consumers that RabbitMQ knows only for some types of queue. */
const TYPES_OF: ReadonlyMap<string, 'classic' | 'quorum' | 'stream'> = new Map([
  ['x-max-priority', 'classic'],
  ['x-queue-mode', 'classic'],
  ['x-queue-version', 'classic'],
  ['x-queue-master-locator', 'classic'],
  ['x-delivery-limit', 'quorum'],
  ['x-dead-letter-strategy', 'quorum'],
  ['x-max-in-memory-length', 'quorum'],
  ['x-max-in-memory-bytes', 'quorum'],
  ['x-queue-leader-locator', 'quorum'],
  ['x-quorum-initial-group-size', 'quorum'],
  ['x-initial-cluster-size', 'stream'],
  ['x-max-age', 'stream'],
  ['x-stream-max-segment-size-bytes', 'stream'],
  ['x-stream-offset', 'stream'],
]);

/** 406 for an argument that queues of this type do not have; unknown arguments are ignored. */
export function misplacedArgument(
  name: string,
  queueArgs: AmqpTable,
  args: AmqpTable,
): AmqpFault | undefined {
  const type = textOf(queueArgs.get('x-queue-type')) === 'quorum' ? 'quorum' : 'classic';
  const arg = [...args.keys()].find((each) => (TYPES_OF.get(each) ?? type) !== type);
  return arg === undefined
    ? undefined
    : fault(406, `invalid arg '${arg}' for ${describeQueue(name)} of queue type rabbit_${type}_queue`);
}

/** Reads the arguments of a queue. Unknown ones are ignored, as in RabbitMQ. */
export function queueRules(name: string, args: AmqpTable): QueueRules | AmqpFault {
  const faults: AmqpFault[] = [];
  const refuse = (arg: string, reason: string) => {
    faults.push(fault(406, `invalid arg '${arg}' for ${describeQueue(name)}: ${reason}`));
    return undefined;
  };
  const whole = (arg: string, lowest: number, highest: number) => {
    const field = args.get(arg);
    if (field === undefined) return undefined;
    const value = integerOf(field);
    if (value === undefined) return refuse(arg, `"expected integer, got ${TYPE_NAMES[field.type]}"`);
    if (value < 0) return refuse(arg, `{value_negative,${value}}`);
    if (value < lowest) return refuse(arg, `{value_zero,${value}}`);
    return value > highest ? refuse(arg, `{value_too_large,${value}}`) : value;
  };
  const text = (arg: string) => {
    const field = args.get(arg);
    const value = textOf(field);
    if (field !== undefined && value === undefined)
      return refuse(arg, `{unacceptable_type,${TYPE_NAMES[field.type]}}`);
    return value;
  };
  const type = text('x-queue-type');
  if (type !== undefined && !QUEUE_TYPES.includes(type))
    refuse('x-queue-type', `"unsupported queue type '${type}'"`);
  const overflowText = text('x-overflow') ?? 'drop-head';
  const overflow = OVERFLOWS.find((each) => each === overflowText);
  if (overflow === undefined) refuse('x-overflow', 'invalid_overflow');
  const deadField = args.get('x-dead-letter-exchange');
  const deadLetterExchange = textOf(deadField);
  if (deadField !== undefined && deadLetterExchange === undefined) {
    const type = TYPE_NAMES[deadField.type];
    faults.push(
      fault(406, `invalid type '${type}' for arg 'x-dead-letter-exchange' in ${describeQueue(name)}`),
    );
  }
  const deadLetterKey = text('x-dead-letter-routing-key');
  if (deadLetterKey !== undefined && deadLetterExchange === undefined)
    refuse('x-dead-letter-routing-key', 'routing_key_but_no_dlx_defined');
  const singleActive = args.get('x-single-active-consumer');
  if (singleActive !== undefined && singleActive.type !== 't')
    refuse('x-single-active-consumer', `{unacceptable_type,${TYPE_NAMES[singleActive.type]}}`);
  const mode = text('x-queue-mode') ?? 'default';
  if (!MODES.includes(mode)) refuse('x-queue-mode', `"unsupported queue mode '${mode}'"`);
  const priority = whole('x-max-priority', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  if (priority > 255) refuse('x-max-priority', `{max_value_exceeded,${priority}}`);
  const isQuorum = type === 'quorum';
  const rules: QueueRules = {
    isQuorum,
    // As in RabbitMQ 3.10, any number limits, 1.5 like 1, and a value that is not a number limits nothing.
    deliveryLimit: isQuorum ? numberOf(args.get('x-delivery-limit')) : undefined,
    ttlMs: whole('x-message-ttl', 0, limits.amqp.longestTtlMs),
    expiresMs: whole('x-expires', 1, limits.amqp.longestTtlMs),
    maxLength: whole('x-max-length', 0, Number.MAX_SAFE_INTEGER),
    maxBytes: whole('x-max-length-bytes', 0, Number.MAX_SAFE_INTEGER),
    overflow: overflow ?? 'drop-head',
    deadLetterExchange,
    deadLetterKey,
    singleActive: singleActive?.type === 't' && singleActive.value,
  };
  return faults[0] ?? rules;
}

/** The arguments in which two declarations of a queue must agree. */
const COMPARED = [
  'x-expires',
  'x-message-ttl',
  'x-dead-letter-exchange',
  'x-dead-letter-routing-key',
  'x-dead-letter-strategy',
  'x-delivery-limit',
  'x-max-length',
  'x-max-length-bytes',
  'x-max-priority',
  'x-overflow',
  'x-queue-mode',
  'x-queue-version',
  'x-queue-type',
  'x-single-active-consumer',
];

const PRESUMED: AmqpTable = tableOf({ 'x-queue-type': 'classic' });

/** How `asked` differs from the queue's arguments, in RabbitMQ's words; undefined if it does not. */
export function inequivalentArgument(asked: AmqpTable, current: AmqpTable, of: string): string | undefined {
  for (const arg of COMPARED) {
    const [theirs, ours] = [asked.get(arg), current.get(arg)];
    const presumed = PRESUMED.get(arg);
    if (isSame(theirs ?? presumed, ours ?? presumed)) continue;
    const isPlain =
      (integerOf(theirs) !== undefined && integerOf(ours) !== undefined) || theirs?.type === ours?.type;
    const difference = isPlain
      ? `received '${fieldText(theirs)}' but current is '${fieldText(ours)}'`
      : `received ${describeField(theirs)} but current is ${describeField(ours)}`;
    return `inequivalent arg '${arg}' for ${of}: ${difference}`;
  }
  return undefined;
}

export function inequivalent(
  name: string,
  of: string,
  asked: string | boolean,
  current: string | boolean,
): AmqpFault {
  return fault(406, `inequivalent arg '${name}' for ${of}: received '${asked}' but current is '${current}'`);
}

function isSame(one: AmqpField | undefined, other: AmqpField | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    fieldText(one) === fieldText(other) && (integerOf(one) === undefined) === (integerOf(other) === undefined)
  );
}

function describeField(field: AmqpField | undefined): string {
  return field === undefined ? 'none' : `the value '${fieldText(field)}' of type '${TYPE_NAMES[field.type]}'`;
}

function fieldText(field: AmqpField | undefined): string {
  if (field === undefined || field.type === 'V') return '';
  if (field.type === 'S' || field.type === 'x') return Buffer.from(field.value).toString('utf8');
  return field.type === 'F' || field.type === 'A' ? TYPE_NAMES[field.type] : String(field.value);
}
