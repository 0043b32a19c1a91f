import { type Flash, FlashFull } from './flash.ts';

/** Flash of which the owners in `full` have no room left. Erasing is still possible. */
export function faultyFlash(flash: Flash, full: ReadonlySet<string>): Flash {
  return {
    load: (owner) => flash.load(owner),
    write: (owner, operations) =>
      full.has(owner) && operations.some((operation) => 'put' in operation)
        ? Promise.reject(new FlashFull('The flash has no room.'))
        : flash.write(owner, operations),
    wipe: (owner) => flash.wipe(owner),
    close: () => flash.close(),
  };
}
