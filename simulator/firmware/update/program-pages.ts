import { IMAGE_KINDS } from './image.ts';
import {
  type FirmwareUpdate,
  type InstalledProgram,
  UPDATE_OUTCOMES,
  UPDATE_PHASES,
} from './update-state.ts';

/**
 * The pages of the boot loader. A page of another length, or with an unknown number, counts as missing.
 *
 *     firmware   major u8, minor u8, bank u8, of the other bank major u8, minor u8 (0.0: none). Two bytes, as an
 *                earlier release wrote it: bank 0, and nothing in the other. Absent: the factory's program
 *     update     major u8, minor u8, image u8, phase u8, outcome u8 (0: none, else its place from 1), told u8, breaks u8,
 *                installs u8, trials u8, chunks received u16, digest u32, counter when offered f64
 */
const FIRMWARE_BYTES = 5;
const UPDATE_BYTES = 23;

export const firmwareKey = 'firmware';
export const updateKey = 'update';

export function firmwarePage({ version, bank, other = [0, 0] }: InstalledProgram): Uint8Array {
  return Uint8Array.of(...version, bank, ...other);
}

export function readFirmware(bytes: Uint8Array | undefined): InstalledProgram | undefined {
  if (bytes?.length !== 2 && bytes?.length !== FIRMWARE_BYTES) return undefined;
  const [major = 0, minor = 0, bank = 0, otherMajor = 0, otherMinor = 0] = bytes;
  const isEmpty = otherMajor === 0 && otherMinor === 0;
  return {
    version: [major, minor],
    bank: bank === 1 ? 1 : 0,
    other: isEmpty ? undefined : [otherMajor, otherMinor],
  };
}

export function updatePage(update: FirmwareUpdate): Uint8Array {
  const view = new DataView(new ArrayBuffer(UPDATE_BYTES));
  const { offer, outcome } = update;
  const small = [
    ...offer.version,
    IMAGE_KINDS.indexOf(offer.image),
    UPDATE_PHASES.indexOf(update.phase),
    outcome === undefined ? 0 : UPDATE_OUTCOMES.indexOf(outcome) + 1,
    update.isReported ? 1 : 0,
    update.connectionBreaks,
    update.installs,
    update.trials,
  ];
  for (const [place, value] of small.entries()) view.setUint8(place, value);
  view.setUint16(9, update.received);
  view.setUint32(11, update.digest);
  view.setFloat64(15, update.offeredCounterMs);
  return new Uint8Array(view.buffer);
}

export function readUpdate(bytes: Uint8Array | undefined): FirmwareUpdate | undefined {
  if (bytes === undefined || bytes.length !== UPDATE_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const image = IMAGE_KINDS[view.getUint8(2)];
  const phase = UPDATE_PHASES[view.getUint8(3)];
  if (image === undefined || phase === undefined) return undefined;
  return {
    offer: { version: [view.getUint8(0), view.getUint8(1)], image },
    phase,
    outcome: UPDATE_OUTCOMES[view.getUint8(4) - 1],
    isReported: view.getUint8(5) === 1,
    connectionBreaks: view.getUint8(6),
    installs: view.getUint8(7),
    trials: view.getUint8(8),
    received: view.getUint16(9),
    digest: view.getUint32(11),
    offeredCounterMs: view.getFloat64(15),
  };
}
