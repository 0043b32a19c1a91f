import type { Files } from '../../world/files/files.ts';
import type { World } from '../../world/world.ts';
import { healthLimits } from '../base/limits.ts';

/** The files that must exist as long as the service runs. */
export interface DataFiles {
  readonly files: Files;
  readonly paths: readonly string[];
}

/** Watches whether the files that were opened at the start are still those at their paths. */
export interface DataFilesWatch {
  /** Whether one of them is gone or was replaced. */
  areGone(): boolean;
  stop(): void;
}

/**
 * A file that is deleted under a running process still accepts writes, and is lost with the process: nothing else would
 * report it. Checked every few seconds, logged once. A file that appears later (a write-ahead log) is watched from then
 * on; one that is moved back counts as present again.
 */
export function watchDataFiles(
  world: Pick<World, 'time' | 'log'>,
  { files, paths }: DataFiles,
): DataFilesWatch {
  const known = new Map<string, string>();
  let gone: readonly string[] = [];
  let isOver = false;
  let cancelAlarm = (): void => undefined;

  async function isGone(path: string): Promise<boolean> {
    // A file that cannot be checked is not known to be gone.
    const found = await files.identity(path).catch(() => known.get(path));
    const before = known.get(path);
    if (before === undefined && found !== undefined) known.set(path, found);
    return before !== undefined && found !== before;
  }

  async function look(): Promise<void> {
    const looked = await Promise.all(paths.map(isGone));
    if (isOver) return;
    const now = paths.filter((_, index) => looked[index] === true);
    if (now.length > 0 && now.join() !== gone.join())
      world.log.error(
        { paths: now.join(', ') },
        'data files were deleted or replaced while the service was running: everything written from now on is lost when this process ends; stop it, restore the files or start with new ones',
      );
    if (now.length === 0 && gone.length > 0) world.log.warn({}, 'the data files are back');
    gone = now;
    cancelAlarm = world.time.alarm(world.time.nowMs() + healthLimits.filesLookMs, () => void look());
  }

  void look();
  return {
    areGone: () => gone.length > 0,
    stop() {
      isOver = true;
      cancelAlarm();
    },
  };
}
