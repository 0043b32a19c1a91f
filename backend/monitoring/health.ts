import { PARTITIONS } from '../../protocol/partitions.ts';
import { healthLimits } from '../base/limits.ts';
import { outboxLimits } from '../store/port/outbox-limits.ts';
import type { ServiceCondition } from './condition.ts';

/** `degraded`: it works, and something is delayed. `failed`: it cannot work. */
export type CheckStatus = 'ok' | 'degraded' | 'failed';

export interface Check {
  readonly name: 'service' | 'store' | 'files' | 'mqtt' | 'amqp' | 'accounts' | 'intake' | 'outbox';
  readonly status: CheckStatus;
  /** The causes, and what is delayed by them; empty if healthy. Contains no address and no secret. */
  readonly reason: string;
}

export interface ServiceReadiness {
  readonly status: 'ready' | 'degraded' | 'not-ready';
  readonly checks: readonly Check[];
  /**
   * If several backends share the boxes: the partitions that this one serves, their total, and the number of backends.
   */
  readonly partitions?: {
    readonly held: readonly number[];
    readonly of: number;
    readonly backends: number;
  };
  /** How long the oldest frame waits for its commit, in seconds; absent: none waits. */
  readonly oldest_frame_s?: number;
}

/** Whether requests and frames are accepted, and why not. */
export function readinessOf(condition: ServiceCondition, nowMs: number): ServiceReadiness {
  const checks = [
    service(condition),
    store(condition),
    files(condition),
    mqtt(condition),
    amqp(condition),
    accounts(condition),
    intake(condition),
    outbox(condition, nowMs),
  ];
  const told = { checks, ...shares(condition), ...oldestFrame(condition, nowMs) };
  if (checks.some(({ status }) => status === 'failed')) return { status: 'not-ready', ...told };
  return { status: checks.some(({ status }) => status === 'degraded') ? 'degraded' : 'ready', ...told };
}

function shares({ partitions }: ServiceCondition): Pick<ServiceReadiness, 'partitions'> {
  if (partitions === undefined) return {};
  return { partitions: { held: partitions.held, of: PARTITIONS, backends: partitions.backends } };
}

function oldestFrame(
  { intake: { oldestMs } }: ServiceCondition,
  nowMs: number,
): Pick<ServiceReadiness, 'oldest_frame_s'> {
  return oldestMs === undefined ? {} : { oldest_frame_s: Math.max(0, nowMs - oldestMs) / 1_000 };
}

function service({ isStopping }: ServiceCondition): Check {
  return isStopping ? failed('service', 'The service is stopping and accepts no commands.') : ok('service');
}

function store(condition: ServiceCondition): Check {
  switch (condition.store) {
    case 'works':
      return ok('store');
    case 'refuses':
      return failed(
        'store',
        'The store cannot commit: writes fail. Requests that change data are answered with 500; frames wait without receipts; boxes keep their records.',
      );
    case 'fails':
      return failed('store', 'The store cannot be read. Requests fail, frames wait without receipts.');
    default:
      return condition.store satisfies never;
  }
}

function files({ areFilesGone }: ServiceCondition): Check {
  return areFilesGone
    ? degraded(
        'files',
        'Data files were deleted or replaced while the service was running: what is written now is lost when it ends. The log names the files.',
      )
    : ok('files');
}

function mqtt(condition: ServiceCondition): Check {
  if (condition.mqtt === 'open') return ok('mqtt');
  const { mqttRefusal } = condition;
  const cause =
    mqttRefusal === undefined
      ? 'There is no session with the MQTT broker; the service keeps trying to connect.'
      : `${mqttRefusal} The service keeps looking.`;
  return failed('mqtt', `${cause} Commands are not sent; boxes keep their records.`);
}

function amqp({ amqp: found, outbox: waiting }: ServiceCondition): Check {
  const what = waiting === undefined ? 'Messages wait' : `${waiting.messages} messages wait`;
  switch (found) {
    case 'none':
    case 'open':
      return ok('amqp');
    case 'blocked':
      return degraded('amqp', `The message broker has blocked its publishers. ${what} in the outbox.`);
    case 'away':
      return degraded(
        'amqp',
        `There is no connection to the message broker; the service keeps trying to connect. ${what} in the outbox.`,
      );
    default:
      return found satisfies never;
  }
}

function accounts({ accounts: found }: ServiceCondition): Check {
  return found === 'away'
    ? degraded(
        'accounts',
        'The management interface of the message broker does not answer; the service keeps trying. Subscriptions can be neither created nor deleted; existing ones keep working.',
      )
    : ok('accounts');
}

function intake({ intake: { isHoldingBack } }: ServiceCondition): Check {
  return isHoldingBack
    ? failed(
        'intake',
        'The intake is full: reading from the MQTT broker is paused until commits have made room.',
      )
    : ok('intake');
}

function outbox({ outbox: size }: ServiceCondition, nowMs: number): Check {
  if (size?.oldestMs === undefined) return ok('outbox');
  const ageMs = nowMs - size.oldestMs;
  const fill = Math.max(
    size.messages / outboxLimits.messages,
    size.bytes / outboxLimits.bytes,
    ageMs / outboxLimits.ageMs,
  );
  const facts = `${size.messages} messages (${size.bytes} bytes) wait, the oldest for ${Math.floor(ageMs / 1_000)} s`;
  if (fill >= healthLimits.outboxFill)
    return degraded('outbox', `${facts}. The outbox is almost full: the oldest are about to be dropped.`);
  return ageMs > healthLimits.outboxAgeMs ? degraded('outbox', `${facts}.`) : ok('outbox');
}

const ok = (name: Check['name']): Check => ({ name, status: 'ok', reason: '' });
const degraded = (name: Check['name'], reason: string): Check => ({ name, status: 'degraded', reason });
const failed = (name: Check['name'], reason: string): Check => ({ name, status: 'failed', reason });
