import type { CommandName, ReplyOutcome } from '../../../protocol/commands.ts';
import type { SystemStatus } from '../../../protocol/message.ts';
import type { ConfigurationOrder } from './configuration-store.ts';

export interface CommandStore {
  /**
   * Stores an open command. `conflict`: another one of that vehicle is open and not expired (an expired one
   * becomes `unknown` first).
   */
  open(command: OpenCommand): Promise<'opened' | 'conflict'>;
  /** Whether another one of that vehicle would conflict. */
  isOpen(vehicleId: string, atMs: number): Promise<boolean>;
  find(requestId: string): Promise<Command | undefined>;
  /** The box did not answer before the expiry: the outcome is unknown. A settled command does not change. */
  giveUp(requestId: string, atMs: number): Promise<void>;
  /** The broker never accepted it: nothing can have happened. */
  withdraw(requestId: string, atMs: number): Promise<void>;
}

export interface OpenCommand {
  readonly requestId: string;
  readonly vehicleId: string;
  /** undefined: it goes to the vehicle's maker. */
  readonly boxId: string | undefined;
  readonly flowId: string;
  readonly command: CommandName | 'configure';
  /** In force once the box has done a `configure`: written in the commit of its reply, however late. */
  readonly configuration?: ConfigurationOrder;
  readonly openedMs: number;
  readonly expiresMs: number;
}

export interface Command extends OpenCommand {
  readonly settledMs: number | undefined;
  /** `unknown`: given up; a later reply still replaces it. */
  readonly outcome: 'open' | 'unknown' | 'withdrawn' | ReplyOutcome;
  readonly error: string;
  readonly status: SystemStatus | undefined;
  /** The translated signals of the reply: property name → value and time. */
  readonly state:
    | Readonly<Record<string, { readonly timestampMs: number; readonly value: unknown }>>
    | undefined;
}
