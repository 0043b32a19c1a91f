import {
  type FirmwareVersion,
  firmwareWith,
  isReleased,
  NEWEST_FIRMWARE,
  OLDEST_FIRMWARE,
} from '../../protocol/firmware.ts';
import { supportsUpdates } from '../firmware/update/image.ts';

/** Phases in which a box hears of no other program. */
const BUSY: readonly unknown[] = ['installing', 'trial'];

/** Why the maker cannot offer that program to a box in that state, and what to do; undefined: it can. */
export function updateRefusal(
  version: FirmwareVersion,
  snapshot: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!isReleased(version)) {
    return `There is no firmware ${version.join('.')}; there are ${OLDEST_FIRMWARE.join('.')} to ${NEWEST_FIRMWARE.join('.')}.`;
  }
  const running = String(snapshot['firmware']);
  const [major = 0, minor = 0] = running.split('.').map(Number);
  if (!supportsUpdates([major, minor])) {
    const least = firmwareWith('update-over-the-air').join('.');
    return `The box runs ${running}, and takes updates over the air from ${least} on. A workshop can put ${least} in: the action firmware.`;
  }
  if (running === version.join('.')) return `The box runs ${running} already. Offer it another version.`;
  const update = snapshot['update'] as Readonly<Record<string, unknown>> | null | undefined;
  if (BUSY.includes(update?.['phase'])) {
    return `The box is installing ${String(update?.['version'])}. Wait until that is over.`;
  }
  if (snapshot['power'] !== 'up') return 'The box is not running, so it hears nothing. Wait until it is up.';
  return undefined;
}
