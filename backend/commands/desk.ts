import type { CommandName, CommandRow } from '../../protocol/commands.ts';
import type { SystemStatus } from '../../protocol/message.ts';
import type { World } from '../../world/world.ts';
import type { Refusal } from '../http/problem.ts';
import type { Command, CommandStore, Vehicle } from '../store/store.ts';

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

/** One command for one vehicle, after the guards that rank before a conflicting command have passed it. */
export interface Order {
  readonly vehicle: Vehicle;
  readonly command: CommandRow & { readonly name: CommandName };
  readonly flowId: string;
  /** What else stands against it, yet ranks behind a conflicting command. */
  readonly objection: Refusal | undefined;
}

/** What came of an order. */
export type DeskAnswer =
  | { readonly done: true; readonly status: SystemStatus | undefined; readonly state: Command['state'] }
  | { readonly done: false; readonly refusal: Refusal };

export interface Desk {
  /** Carries the order out, or says why not. Rejects only where the store fails. */
  execute(order: Order): Promise<DeskAnswer>;
  /** Ingest has committed outcomes of these requests (`IngestResult.settled`): whoever waits for one looks it up. */
  settled(requestIds: readonly string[]): void;
  /** Answers everybody who still waits; what was sent stays open in the store, for its reply or its expiry. */
  stop(): void;
}

export declare function makeDesk(parts: DeskParts): Desk;
