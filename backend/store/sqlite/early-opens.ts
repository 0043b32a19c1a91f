import type { Command, OpenCommand } from '../port/command-store.ts';
import { StoreFailed } from '../port/store.ts';
import type { StoreCall } from '../port/store-calls.ts';
import type { SqliteParts } from './calls.ts';

/** Carries out a call; a patient one may wait for another to share its transaction. */
export type WriteCall = (call: StoreCall, isPatient: boolean) => Promise<unknown>;
export type ReadCall = (call: StoreCall) => Promise<unknown>;

/**
 * Commands that count as open before they are committed (docs/store.md). The call `open` is answered early where its
 * answer is certain: no other command of the vehicle is open, nor on its way into the database. It is carried out in its
 * turn, before every call that comes after it.
 */
export class EarlyOpens {
  readonly #committed: Pick<SqliteParts['commands'], 'isOpen'>;
  /** Calls of `open` that are not carried out yet, answered or not, by vehicle. */
  readonly #underWay = new Map<string, number>();
  /** Those that are answered and not carried out yet, by request. */
  readonly #early = new Map<string, OpenCommand>();

  /** The last write has failed because of the medium: nothing is certain. */
  #isFailing = false;

  /** `committed`: reads what is committed. */
  constructor(committed: Pick<SqliteParts['commands'], 'isOpen'>) {
    this.#committed = committed;
  }

  async write(call: StoreCall, isPatient: boolean, write: WriteCall): Promise<unknown> {
    if (call.part !== 'commands' || call.name !== 'open') return this.#watched(write(call, isPatient));
    // The port's parameters of this call.
    const [command] = call.parameters as [OpenCommand];
    const { vehicleId, requestId } = command;
    const isEarly = this.#isCertain(command);
    const before = this.#underWay.get(vehicleId) ?? 0;
    this.#underWay.set(vehicleId, before + 1);
    if (isEarly) this.#early.set(requestId, command);
    const written = this.#watched(write(call, isEarly)).finally(() => {
      const left = (this.#underWay.get(vehicleId) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(vehicleId);
      else this.#underWay.set(vehicleId, left);
      this.#early.delete(requestId);
    });
    if (!isEarly) return written;
    // A medium that fails here also fails the commit of the reply, which tells of it.
    written.catch(() => undefined);
    return 'opened';
  }

  /** The read, as if what was answered early were committed. */
  async read(call: StoreCall, read: ReadCall): Promise<unknown> {
    const found = await read(call);
    if (this.#early.size === 0) return found;
    if (call.part === 'commands' && call.name === 'find') {
      const early = this.#early.get(call.parameters[0] as string);
      // What is committed is newer: the outcome may be on its way back from the thread.
      return found !== undefined || early === undefined ? found : { ...early, ...NOT_SETTLED };
    }
    if (call.part === 'commands' && call.name === 'isOpen') {
      const [vehicleId, atMs] = call.parameters as [string, number];
      return found === true || [...this.#early.values()].some((one) => isOpenFor(one, vehicleId, atMs));
    }
    if (call.part === 'ingest' && call.name === 'loadCommands') {
      const commands = found as Map<string, OpenCommand>;
      const [requestIds] = call.parameters as [readonly string[]];
      for (const requestId of requestIds) {
        const early = this.#early.get(requestId);
        if (early !== undefined && !commands.has(requestId)) commands.set(requestId, early);
      }
    }
    return found;
  }

  #watched(written: Promise<unknown>): Promise<unknown> {
    return written.then(
      (value) => {
        this.#isFailing = false;
        return value;
      },
      (error: unknown) => {
        this.#isFailing = error instanceof StoreFailed;
        throw error;
      },
    );
  }

  /** A configuration has a base that must be in force, and a setup is repeated until it is done: they are committed first. */
  #isCertain({ vehicleId, boxId, command, configuration }: OpenCommand): boolean {
    if (boxId === undefined || command === 'begin-setup' || configuration !== undefined) return false;
    // Of any time: one that has expired is given up first.
    if (this.#isFailing) return false;
    return !this.#underWay.has(vehicleId) && !this.#committed.isOpen(vehicleId, 0);
  }
}

const NOT_SETTLED: Omit<Command, keyof OpenCommand> = {
  settledMs: undefined,
  outcome: 'open',
  error: '',
  status: undefined,
  state: undefined,
};

function isOpenFor(command: OpenCommand, vehicleId: string, atMs: number): boolean {
  return command.vehicleId === vehicleId && command.expiresMs > atMs;
}
