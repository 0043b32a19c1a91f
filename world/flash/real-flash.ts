import { GroupCommit } from '../group-commit/group-commit.ts';
import { realPace } from '../group-commit/real-pace.ts';
import { limits } from '../limits.ts';
import { startThread, ThreadRefused } from '../threads/real-thread.ts';
import { type Flash, FlashBroken, FlashFull, FlashInUse, FlashTooNew } from './flash.ts';
import type { FlashCall, FlashOptions } from './real-flash-file.ts';
import type { FlashThreadSettings, PostedFlashOutcome } from './real-flash-thread.ts';

/**
 * Opens or creates the file at `path` for this process and its owner alone. Rejects with `FlashInUse`,
 * `FlashTooNew` or `FlashBroken`; later calls that meet a damaged page also fail with `FlashBroken`.
 *
 * The file is read and written on a thread of its own. Calls that come while a transaction is under way share
 * the next one. Once resolved, writes survive the end of the process (including kill -9) and a power failure.
 */
export async function openRealFlash(path: string, options: FlashOptions = {}): Promise<Flash> {
  const settings: FlashThreadSettings = { path, options };
  const thread = await startThread<readonly FlashCall[], readonly PostedFlashOutcome[]>(
    './real-flash-thread',
    import.meta.url,
    settings,
  ).catch((error: unknown) => {
    throw error instanceof ThreadRefused ? flashError(error.reason, error.message) : error;
  });
  const group = new GroupCommit<FlashCall, PostedFlashOutcome>(
    (calls) => thread.ask(calls),
    limits.flashGroupCalls,
    realPace(),
  );
  let isClosed = false;

  async function carryOut(call: FlashCall): Promise<ReadonlyMap<string, Uint8Array>> {
    if (isClosed) throw new Error('The flash is closed.');
    const outcome = await group.add(call);
    if ('errorName' in outcome) throw flashError(outcome.errorName, outcome.message);
    return outcome.pages ?? NO_PAGES;
  }

  return {
    load: (owner) => carryOut({ load: owner }),
    async write(owner, operations) {
      // The caller may reuse its buffer. A copy also keeps the rest of a larger buffer from being posted.
      const copies = operations.map((operation) =>
        'put' in operation ? { put: operation.put, bytes: new Uint8Array(operation.bytes) } : operation,
      );
      await carryOut({ write: owner, operations: copies });
    },
    async wipe(owner) {
      await carryOut({ wipe: owner });
    },
    async close() {
      isClosed = true;
      await group.idle();
      await thread.close();
    },
  };
}

const NO_PAGES: ReadonlyMap<string, Uint8Array> = new Map();

const FLASH_ERRORS: Readonly<Record<string, new (message: string) => Error>> = {
  FlashFull,
  FlashInUse,
  FlashTooNew,
  FlashBroken,
};

function flashError(name: string, message: string): Error {
  return new (FLASH_ERRORS[name] ?? Error)(message);
}
