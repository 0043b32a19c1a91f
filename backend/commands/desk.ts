import type { CommandName } from '../../protocol/commands.ts';
import { encodeFrame } from '../../protocol/frame.ts';
import type { ConfigurationRequest, Frame, SystemStatus } from '../../protocol/message.ts';
import { topics } from '../../protocol/topics.ts';
import type { World } from '../../world/world.ts';
import { problem, type Refusal } from '../http/problem.ts';
import type { Command, CommandStore, OpenCommand } from '../store/command-store.ts';
import type { ConfigurationOrder } from '../store/configuration-store.ts';
import type { BoxVehicle, Vehicle } from '../store/vehicle-store.ts';
import { refusalOf } from './outcomes.ts';
import { makeWaitingRoom, type WaitingRoom } from './waiting-room.ts';

/** What the desk needs: the assembly hands it over. */
export interface DeskParts {
  readonly world: Pick<World, 'time' | 'mint' | 'log'>;
  readonly store: CommandStore;
  /** How long a box may stay silent, in milliseconds; a request's expiry is that far from its opening. */
  readonly answerTimeoutMs: number;
  /**
   * Hands bytes to the broker and resolves at its acknowledgement. Rejects with `NotSent` where it is certain that
   * nothing left; any other rejection (`LinkLost`) leaves it in doubt, and the desk then waits for an answer.
   */
  send(topic: string, bytes: Uint8Array): Promise<void>;
}

/** There is no session with the broker: nothing left this process. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** What a box is asked for: a command, or a whole configuration with what it changes. */
export type Asked =
  | { readonly command: CommandName }
  | { readonly settings: ConfigurationRequest['settings']; readonly order: ConfigurationOrder };

/** One errand for one vehicle, after the guards that rank before a conflicting command have passed it. */
export interface Order {
  readonly vehicle: BoxVehicle;
  readonly asked: Asked;
  readonly flowId: string;
  /** What else stands against it, yet ranks behind a conflicting command. */
  readonly objection: Refusal | undefined;
  /** How long the box may stay silent on it; absent: as on every command. */
  readonly answerTimeoutMs?: number;
}

/** One that is refused, whatever it asks for: no more than a conflicting command can rank before its objection. */
export interface HopelessOrder extends Pick<Order, 'vehicle'> {
  readonly asked?: undefined;
  readonly objection: Refusal;
}

/** What came of an order. */
export type DeskAnswer =
  | { readonly done: true; readonly status: SystemStatus | undefined; readonly state: Command['state'] }
  | {
      readonly done: false;
      readonly refusal: Refusal;
      /** What the store says became of it; absent: it was not opened, or not sent for an objection. */
      readonly outcome?: Command['outcome'];
    };

/** Where commands of vehicles go that have their maker's cloud in place of a box. */
export interface MakerDesk {
  /** As `Desk.execute`. A maker's error is third-party-error, its silence no-connection. */
  execute(order: {
    readonly vehicle: Vehicle;
    readonly command: CommandName;
    readonly flowId: string;
    readonly objection: Refusal | undefined;
  }): Promise<DeskAnswer>;
}

export interface Desk {
  /** Carries the order out, or says why not. Rejects only where the store fails. */
  execute(order: Order | HopelessOrder): Promise<DeskAnswer>;
  /** Ingest has committed outcomes of these requests (`IngestResult.settled`): whoever waits for one looks it up. */
  settled(requestIds: readonly string[]): void;
  /**
   * Answers everybody who still waits, and takes nothing more; what was sent stays open in the store, for its reply
   * or its expiry.
   */
  stop(): void;
}

/**
 * The desk writes a command down, sends it, and waits for what the store says became of it. It keeps nothing that
 * must survive: a command whose desk is gone is still settled by its reply, or given up after its expiry.
 */
export function makeDesk(parts: DeskParts): Desk {
  const { world, store } = parts;
  const room = makeWaitingRoom(world.time);

  /** Nothing is sent, so nothing is written: vehicles that are away for hours are tried again and again. */
  async function object(vehicle: BoxVehicle, objection: Refusal): Promise<DeskAnswer> {
    const isOpen = await store.isOpen(vehicle.id, world.time.nowMs());
    return refused(isOpen ? CONFLICT : objection);
  }

  return {
    async execute(order) {
      if (room.isClosed)
        return refused(problem('no-connection', 'The service is stopping. The command was not sent.'));
      if (order.asked === undefined) return object(order.vehicle, order.objection);
      if (order.objection !== undefined) return object(order.vehicle, order.objection);
      const command = openCommand(parts, order);
      if ((await store.open(command)) === 'conflict') return refused(CONFLICT);
      dispatch(parts, room, order, command);
      return answerOf(await outcome(parts, room, command));
    },
    settled: (requestIds) => {
      for (const requestId of requestIds) room.wake(requestId);
    },
    stop: () => room.close(),
  };
}

const CONFLICT = problem('conflicting-command', 'Another command of this vehicle is being carried out.');

function openCommand(parts: DeskParts, order: Order): OpenCommand {
  const openedMs = parts.world.time.nowMs();
  return {
    requestId: parts.world.mint.ulid(),
    vehicleId: order.vehicle.id,
    boxId: order.vehicle.boxId,
    flowId: order.flowId,
    ...('command' in order.asked
      ? { command: order.asked.command }
      : { command: 'configure', configuration: order.asked.order }),
    openedMs,
    expiresMs: openedMs + (order.answerTimeoutMs ?? parts.answerTimeoutMs),
  };
}

/** The request as its box reads it: in the encoding of its generation, under the epoch of its journal. */
export function requestFrame(
  { vehicle, asked }: Pick<Order, 'vehicle' | 'asked'>,
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
      'command' in asked
        ? { kind: 'command', requestId, command: asked.command, expiresMs }
        : {
            kind: 'configuration',
            requestId,
            revision: asked.order.revision,
            expiresMs,
            settings: asked.settings,
          },
  };
}

/**
 * Sends the request without waiting for the broker: a broker that stalls must not hold the answer beyond the
 * expiry. Where nothing left, the command is withdrawn and whoever waits for it is woken.
 */
function dispatch(parts: DeskParts, room: WaitingRoom, order: Order, command: OpenCommand): void {
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
    room.wake(command.requestId);
  });
}

/** What became of a command, as far as its answer needs it. */
type Found = Pick<Command, 'outcome' | 'error' | 'status' | 'state'>;

/** Nobody knows what became of it; a reply may still come. */
const UNDECIDED: Found = { outcome: 'open', error: '', status: undefined, state: undefined };

/**
 * Waits until the store knows what became of the command, at most until its expiry; then gives it up. A store that
 * fails meanwhile is asked again at the next look; at the expiry its failure is the caller's.
 */
async function outcome(parts: DeskParts, room: WaitingRoom, command: OpenCommand): Promise<Found> {
  const { world, store } = parts;
  try {
    for (;;) {
      const called = await room.wait(command.requestId, command.expiresMs);
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
    room.leave(command.requestId);
  }
}

function answerOf(found: Found): DeskAnswer {
  const refusal = refusalOf(found);
  return refusal === undefined
    ? { done: true, status: found.status, state: found.state }
    : { done: false, refusal, outcome: found.outcome };
}

function refused(refusal: Refusal): DeskAnswer {
  return { done: false, refusal };
}
