import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPackageFile } from '../../../deployment/shared/package-file.ts';

/** A scenario of this package, by its name without the ending. */
export interface ShippedStory {
  readonly name: string;
  readonly file: string;
}

/** In alphabetical order. */
export function shippedStories(): readonly ShippedStory[] {
  const folder = join(readPackageFile().root, 'scenarios', 'stories');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => ({ name: name.slice(0, -'.yaml'.length), file: join(folder, name) }));
}
