import type { CommandName, OutcomeName } from '../../protocol/commands.ts';
import type { SystemStatus } from '../../protocol/message.ts';
import type { ConfigurationOrder } from './configuration-store.ts';

export interface CommandStore {
  /**
   * Writes an open command down. `conflict`: another one of that vehicle is open and not yet past its expiry
   * (one that is past it becomes `unknown` first).
   */
  open(command: OpenCommand): Promise<'opened' | 'conflict'>;
  /** Whether another one of that vehicle would meet a conflict. */
  isOpen(vehicleId: string, atMs: number): Promise<boolean>;
  find(requestId: string): Promise<Command | undefined>;
  /** The box stayed silent until the expiry: what became of it is not known. A command that is settled stays so. */
  giveUp(requestId: string, atMs: number): Promise<void>;
  /** The broker never took it: nothing can have happened. */
  withdraw(requestId: string, atMs: number): Promise<void>;
}

export interface OpenCommand {
  readonly requestId: string;
  readonly vehicleId: string;
  /** undefined: it goes to the vehicle's maker. */
  readonly boxId: string | undefined;
  readonly flowId: string;
  readonly command: CommandName | 'configure';
  /** What is in force once the box has done a `configure`: written in the commit of its reply, however late. */
  readonly configuration?: ConfigurationOrder;
  readonly openedMs: number;
  readonly expiresMs: number;
}

export interface Command extends OpenCommand {
  readonly settledMs: number | undefined;
  /** `unknown`: given up; a reply that comes later still replaces it. */
  readonly outcome: 'open' | 'unknown' | 'withdrawn' | OutcomeName;
  readonly error: string;
  readonly status: SystemStatus | undefined;
  /** What the reply's signals were translated to: property name → value and time. */
  readonly state:
    | Readonly<Record<string, { readonly timestampMs: number; readonly value: unknown }>>
    | undefined;
}
