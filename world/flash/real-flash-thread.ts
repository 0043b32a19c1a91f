import { runThread } from '../threads/thread-program.ts';
import { type FlashCall, type FlashOptions, openSqliteFlash } from './real-flash-file.ts';

export interface FlashThreadSettings {
  readonly path: string;
  readonly options: FlashOptions;
}

/** An outcome as it is posted: classes of errors do not pass between threads. */
export type PostedFlashOutcome =
  | { readonly pages: ReadonlyMap<string, Uint8Array> | undefined }
  | { readonly errorName: string; readonly message: string };

/** The thread that keeps the flash of all boxes: each request is a group of calls. */
runThread<FlashThreadSettings, readonly FlashCall[], readonly PostedFlashOutcome[]>(({ path, options }) => {
  const flash = openSqliteFlash(path, options);
  return {
    answer: (calls) =>
      flash.carryOut(calls).map((outcome) => {
        if (!('error' in outcome)) return outcome;
        const { name, message } =
          outcome.error instanceof Error ? outcome.error : new Error(String(outcome.error));
        return { errorName: name, message };
      }),
    close: () => flash.close(),
  };
});
