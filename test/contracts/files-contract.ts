import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Files } from '../../world/files.ts';

export interface FilesStage {
  readonly files: Files;
  /** The path of that name. */
  path(name: string): string;
  make(path: string): Promise<void>;
  /** Writes something into the file. */
  grow(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  close(): Promise<void>;
}

/** The behaviour that every fulfilment of `Files` has in common. */
export function filesContract(name: string, setUp: () => Promise<FilesStage>): void {
  describe(`files: ${name}`, () => {
    let stage: FilesStage;
    beforeEach(async () => {
      stage = await setUp();
    });
    afterEach(() => stage.close());

    test('a file stays the same whatever is written into it, and is not another one', async () => {
      const [one, other] = [stage.path('one'), stage.path('other')];
      await stage.make(one);
      await stage.make(other);
      const before = await stage.files.identity(one);
      expect(before).toBeDefined();
      await stage.grow(one);
      expect(await stage.files.identity(one)).toBe(before);
      expect(await stage.files.identity(other)).not.toBe(before);
    });

    test('one that is not there, or below what is no directory, has no identity', async () => {
      const path = stage.path('one');
      expect(await stage.files.identity(path)).toBeUndefined();
      await stage.make(path);
      await stage.remove(path);
      expect(await stage.files.identity(path)).toBeUndefined();
      await stage.make(path);
      expect(await stage.files.identity(`${path}/below`)).toBeUndefined();
    });

    test('one that was moved is the same at its new path, and what stands in its place is another', async () => {
      const [path, aside] = [stage.path('one'), stage.path('aside')];
      await stage.make(path);
      const before = await stage.files.identity(path);
      await stage.move(path, aside);
      await stage.make(path);
      expect(await stage.files.identity(aside)).toBe(before);
      expect(await stage.files.identity(path)).not.toBe(before);
      await stage.move(aside, path);
      expect(await stage.files.identity(path)).toBe(before);
    });
  });
}
