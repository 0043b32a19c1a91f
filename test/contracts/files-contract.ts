import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Files } from '../../world/files/files.ts';

export interface FilesFixture {
  readonly files: Files;
  /** The path for that name. */
  path(name: string): string;
  make(path: string): Promise<void>;
  /** Writes into the file. */
  grow(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  close(): Promise<void>;
}

/** The common behaviour of all implementations of `Files`. */
export function filesContract(name: string, setUp: () => Promise<FilesFixture>): void {
  describe(`files: ${name}`, () => {
    let fixture: FilesFixture;
    beforeEach(async () => {
      fixture = await setUp();
    });
    afterEach(() => fixture.close());

    test('a file has the same identity whatever is written into it, and another than other files', async () => {
      const [one, other] = [fixture.path('one'), fixture.path('other')];
      await fixture.make(one);
      await fixture.make(other);
      const before = await fixture.files.identity(one);
      expect(before).toBeDefined();
      await fixture.grow(one);
      expect(await fixture.files.identity(one)).toBe(before);
      expect(await fixture.files.identity(other)).not.toBe(before);
    });

    test('a file that does not exist, or below a path that is no directory, has no identity', async () => {
      const path = fixture.path('one');
      expect(await fixture.files.identity(path)).toBeUndefined();
      await fixture.make(path);
      await fixture.remove(path);
      expect(await fixture.files.identity(path)).toBeUndefined();
      await fixture.make(path);
      expect(await fixture.files.identity(`${path}/below`)).toBeUndefined();
    });

    test('a moved file has the same identity at its new path, and a new one at the old path has another', async () => {
      const [path, aside] = [fixture.path('one'), fixture.path('aside')];
      await fixture.make(path);
      const before = await fixture.files.identity(path);
      await fixture.move(path, aside);
      await fixture.make(path);
      expect(await fixture.files.identity(aside)).toBe(before);
      expect(await fixture.files.identity(path)).not.toBe(before);
      await fixture.move(aside, path);
      expect(await fixture.files.identity(path)).toBe(before);
    });
  });
}
