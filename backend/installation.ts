import type { World } from '../world/world.ts';
import type { Installation, InstallationStore } from './store/port/installation-store.ts';

/** `refused`: why this backend must not run on that store, and the remedy. */
export type InstallationClaim =
  | { readonly kind: 'claimed'; readonly installationId: string }
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * Determines the installation of a store; an empty store is claimed for this backend. Rejects with `StoreFailed`.
 *
 * All backends of an installation sign tokens with one key, which each of them is given; the store has only its id. One
 * with another key is refused: tokens of either would be wrong at the other. A single backend (`isShared` false) may
 * restart with another key: then only its own old tokens are void.
 */
export async function claimInstallation(
  store: InstallationStore,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  { isShared }: { readonly isShared: boolean },
): Promise<InstallationClaim> {
  const keyId = signingKeyId(world.crypto);
  const offered = { id: world.ids.uuid(), keyId, createdMs: world.time.nowMs() };
  for (;;) {
    const found = await store.claim(offered);
    const verdict = judgeKey(found, keyId, isShared);
    if (verdict === 'differs') return { kind: 'refused', detail: otherKey(found, keyId) };
    // Another backend may have stored its key meanwhile: then that one counts.
    if (verdict === 'same' || (await store.setKey(keyId, found.keyId)))
      return { kind: 'claimed', installationId: found.id };
  }
}

/** Compares a backend's key with that of the installation. Total. */
export function judgeKey(
  installation: Pick<Installation, 'keyId'>,
  keyId: string,
  isShared: boolean,
): 'same' | 'replaces' | 'differs' {
  if (installation.keyId === keyId) return 'same';
  return isShared && installation.keyId !== '' ? 'differs' : 'replaces';
}

function otherKey({ id, keyId }: Installation, ownKeyId: string): string {
  return [
    `The store belongs to the installation ${id}, whose backends sign tokens with the key ${keyId}; this one has the key ${ownKeyId}.`,
    'Give all backends of an installation the same boxtwin.json, and each installation a database of its own.',
    'To change the key, stop all backends, set key_id of the table "installation" to an empty text, and start them with the new key.',
  ].join(' ');
}

/**
 * The id of the key that signs tokens: its thumbprint (RFC 7638). No secret, and the same in all parts with one
 * `boxtwin.json`: commands use it to recognise their service and simulator.
 */
export function signingKeyId(crypto: Pick<World['crypto'], 'publicKeys'>): string {
  const [key] = crypto.publicKeys().keys;
  return String(key?.['kid']);
}
