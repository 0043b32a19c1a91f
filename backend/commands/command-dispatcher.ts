import { problem, type Refusal } from '../../contract/problems.ts';
import { encodeFrame } from '../../protocol/codec/frame.ts';
import type { CommandName } from '../../protocol/commands.ts';
import type { ConfigurationRequest, Frame, SystemStatus } from '../../protocol/message.ts';
import { topics } from '../../protocol/topics.ts';
import type { World } from '../../world/world.ts';
import type { Command, CommandStore, OpenCommand } from '../store/port/command-store.ts';
import type { ConfigurationOrder } from '../store/port/configuration-store.ts';
import type { BoxVehicle, Vehicle } from '../store/port/stored-vehicle.ts';
import { refusalOf } from './outcomes.ts';
import { makePendingReplies, type PendingReplies } from './pending-replies.ts';

/** What the dispatcher needs; the assembly provides it. */
export interface CommandDispatcherParts {
  readonly world: Pick<World, 'time' | 'ids' | 'log'>;
  readonly store: CommandStore;
  /** How long a box may take to answer, in milliseconds; a request expires that long after it was opened. */
  readonly answerTimeoutMs: number;
  /**
   * Sends bytes to the broker and resolves with its acknowledgement. Rejects with `NotSent` if certainly nothing was
   * sent; after any other rejection (`MqttConnectionLost`) delivery is unknown, and the dispatcher waits for an answer.
   */
  send(topic: string, bytes: Uint8Array): Promise<void>;
}

/** There is no session with the broker: nothing was sent. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** What a box is asked to do: a command, or a whole configuration with what it changes. */
export type BoxRequest =
  | { readonly command: CommandName }
  | { readonly settings: ConfigurationRequest['settings']; readonly order: ConfigurationOrder };

/** One request for one vehicle that has passed the guards that rank before a conflicting command. */
export interface CommandOrder {
  readonly vehicle: BoxVehicle;
  readonly request: BoxRequest;
  readonly flowId: string;
  /** The first refusal of the guards that rank after a conflicting command. */
  readonly objection: Refusal | undefined;
  /** How long the box may take to answer; absent: as on every command. */
  readonly answerTimeoutMs?: number;
}

/** An order that is refused in any case: only a conflicting command can rank before its objection. */
export interface RefusedOrder extends Pick<CommandOrder, 'vehicle'> {
  readonly request?: undefined;
  readonly objection: Refusal;
}

/** The result of an order. */
export type CommandAnswer =
  | { readonly done: true; readonly status: SystemStatus | undefined; readonly state: Command['state'] }
  | {
      readonly done: false;
      readonly refusal: Refusal;
      /** The outcome in the store; absent: it was not opened, or not sent because of an objection. */
      readonly outcome?: Command['outcome'];
    };

/** Carries out commands for vehicles that have their maker's cloud instead of a box. */
export interface MakerCommands {
  /** As `CommandDispatcher.execute`. A maker's error is third-party-error, its silence no-connection. */
  execute(order: {
    readonly vehicle: Vehicle;
    readonly command: CommandName;
    readonly flowId: string;
    readonly objection: Refusal | undefined;
  }): Promise<CommandAnswer>;
}

export interface CommandDispatcher {
  /** Carries the order out, or returns why not. Rejects only if the store fails. */
  execute(order: CommandOrder | RefusedOrder): Promise<CommandAnswer>;
  /**
   * Ingest has committed outcomes of these requests (`IngestResult.settled`): waiting callers look them up.
   */
  settled(requestIds: readonly string[]): void;
  /** Outcomes may have been committed without a notification: all waiting callers look them up. */
  recheck(): void;
  /**
   * Answers all waiting callers and accepts nothing more; what was sent stays open in the store until its
   * reply or its expiry.
   */
  stop(): void;
}

/**
 * The dispatcher stores a command, sends it, and waits for its outcome in the store. It has no state that
 * must survive: a command whose dispatcher is gone is still settled by its reply, or given up after its
 * expiry.
 */
export function makeCommandDispatcher(parts: CommandDispatcherParts): CommandDispatcher {
  const { world, store } = parts;
  const pendingReplies = makePendingReplies(world.time);

  /** Nothing is sent, so nothing is written: clients retry vehicles that are offline for hours again and again. */
  async function refuseUnsent(vehicle: BoxVehicle, objection: Refusal): Promise<CommandAnswer> {
    const isOpen = await store.isOpen(vehicle.id, world.time.nowMs());
    return refused(isOpen ? CONFLICT : objection);
  }

  return {
    async execute(order) {
      if (pendingReplies.isClosed)
        return refused(problem('no-connection', 'The service is stopping. The command was not sent.'));
      if (order.request === undefined) return refuseUnsent(order.vehicle, order.objection);
      if (order.objection !== undefined) return refuseUnsent(order.vehicle, order.objection);
      const command = openCommand(parts, order);
      if ((await store.open(command)) === 'conflict') return refused(CONFLICT);
      dispatch(parts, pendingReplies, order, command);
      return answerOf(await outcome(parts, pendingReplies, command));
    },
    settled: (requestIds) => {
      for (const requestId of requestIds) pendingReplies.wake(requestId);
    },
    recheck: () => pendingReplies.wakeAll(),
    stop: () => pendingReplies.close(),
  };
}

const CONFLICT = problem('conflicting-command', 'Another command of this vehicle is being carried out.');

function openCommand(parts: CommandDispatcherParts, order: CommandOrder): OpenCommand {
  const openedMs = parts.world.time.nowMs();
  return {
    requestId: parts.world.ids.ulid(),
    vehicleId: order.vehicle.id,
    boxId: order.vehicle.boxId,
    flowId: order.flowId,
    ...('command' in order.request
      ? { command: order.request.command }
      : { command: 'configure', configuration: order.request.order }),
    openedMs,
    expiresMs: openedMs + (order.answerTimeoutMs ?? parts.answerTimeoutMs),
  };
}

/** The request as its box reads it: encoded for its generation, with the epoch of its journal. */
export function requestFrame(
  { vehicle, request }: Pick<CommandOrder, 'vehicle' | 'request'>,
  opened: Pick<OpenCommand, 'requestId' | 'openedMs' | 'expiresMs'>,
): Frame {
  const { generation, journal } = vehicle.box;
  const { requestId, expiresMs, openedMs } = opened;
  return {
    generation,
    epoch: journal.epoch,
    boot: 0,
    sequence: 0,
    clockMs: openedMs,
    message:
      'command' in request
        ? { kind: 'command', requestId, command: request.command, expiresMs }
        : {
            kind: 'configuration',
            requestId,
            revision: request.order.revision,
            expiresMs,
            settings: request.settings,
          },
  };
}

/**
 * Sends the request without waiting for the broker: a broker that stalls must not delay the answer beyond the
 * expiry. If nothing was sent, the command is withdrawn and its caller is woken.
 */
function dispatch(
  parts: CommandDispatcherParts,
  pendingReplies: PendingReplies,
  order: CommandOrder,
  command: OpenCommand,
): void {
  const { world, store } = parts;
  const bytes = encodeFrame(requestFrame(order, command));
  parts.send(topics.down(order.vehicle.boxId), bytes).catch(async (error: unknown) => {
    const fields = { flowId: command.flowId, boxId: command.boxId, error: String(error) };
    if (!(error instanceof NotSent)) {
      world.log.warn(fields, 'a command may or may not have reached the broker');
      return;
    }
    world.log.error(fields, 'a command was not sent: there is no session with the broker');
    try {
      await store.withdraw(command.requestId, world.time.nowMs());
    } catch (failure) {
      world.log.error({ ...fields, error: String(failure) }, 'a command could not be withdrawn');
    }
    pendingReplies.wake(command.requestId);
  });
}

/** The columns of a command that its answer needs. */
type Found = Pick<Command, 'outcome' | 'error' | 'status' | 'state'>;

/** The outcome is not known; a reply may still come. */
const UNDECIDED: Found = { outcome: 'open', error: '', status: undefined, state: undefined };

/**
 * Waits until the store has the command's outcome, at most until its expiry; then gives up the command. A failed read
 * is repeated at the next poll; at the expiry the failure is returned to the caller.
 */
async function outcome(
  parts: CommandDispatcherParts,
  pendingReplies: PendingReplies,
  command: OpenCommand,
): Promise<Found> {
  const { world, store } = parts;
  try {
    for (;;) {
      const called = await pendingReplies.wait(command.requestId, command.expiresMs);
      const isOver = world.time.nowMs() >= command.expiresMs;
      try {
        if (isOver) await store.giveUp(command.requestId, world.time.nowMs());
        const found = await store.find(command.requestId);
        if (found !== undefined && found.outcome !== 'open') return found;
      } catch (error) {
        if (isOver || called === 'closed') throw error;
        const fields = { flowId: command.flowId, error: String(error) };
        world.log.warn(fields, 'the outcome of a command cannot be read');
      }
      if (isOver || called === 'closed') return UNDECIDED;
    }
  } finally {
    pendingReplies.forget(command.requestId);
  }
}

function answerOf(found: Found): CommandAnswer {
  const refusal = refusalOf(found);
  return refusal === undefined
    ? { done: true, status: found.status, state: found.state }
    : { done: false, refusal, outcome: found.outcome };
}

function refused(refusal: Refusal): CommandAnswer {
  return { done: false, refusal };
}
