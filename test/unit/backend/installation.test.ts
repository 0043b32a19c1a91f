import { describe, expect, test } from 'vitest';
import { claimInstallation, judgeKey } from '../../../backend/installation.ts';
import { openSqliteStore } from '../../../backend/store/sqlite/store.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';

/** Worlds of different seeds have different keys. */
const backendOf = (seed: number) => openVirtualWorld({ seed });

describe('the installation of a store', () => {
  test('is the same for every backend with its key', async () => {
    const { installation } = openSqliteStore(':memory:');
    const first = await claimInstallation(installation, backendOf(1), { isShared: true });
    expect(first.kind).toBe('claimed');
    expect(await claimInstallation(installation, backendOf(1), { isShared: true })).toEqual(first);
  });

  test('refuses a backend whose tokens the others would refuse, and says what to do', async () => {
    const { installation } = openSqliteStore(':memory:');
    await claimInstallation(installation, backendOf(1), { isShared: true });
    const other = await claimInstallation(installation, backendOf(2), { isShared: true });
    expect(other).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('the same boxtwin.json'),
    });
    // Its key was not taken.
    expect((await claimInstallation(installation, backendOf(1), { isShared: true })).kind).toBe('claimed');
  });

  test('keeps its id where the only backend of a store has another key, or an operator has taken the key away', async () => {
    const { installation } = openSqliteStore(':memory:');
    const first = await claimInstallation(installation, backendOf(1), { isShared: false });
    expect(await claimInstallation(installation, backendOf(2), { isShared: false })).toEqual(first);
    const { keyId } = await installation.claim({ id: '', keyId: '', createdMs: 0 });
    await installation.setKey('', keyId);
    expect(await claimInstallation(installation, backendOf(3), { isShared: true })).toEqual(first);
    expect((await claimInstallation(installation, backendOf(2), { isShared: true })).kind).toBe('refused');
  });

  test.each([
    ['one', 'one', true, 'same'],
    ['one', 'two', true, 'differs'],
    ['one', 'two', false, 'replaces'],
    ['', 'two', true, 'replaces'],
  ] as const)('of the key %o is to one of the key %o, shared %o: %s', (known, own, isShared, verdict) => {
    expect(judgeKey({ keyId: known }, own, isShared)).toBe(verdict);
  });
});
