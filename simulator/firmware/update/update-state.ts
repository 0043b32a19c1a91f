import type { FirmwareVersion } from '../../../protocol/firmware.ts';
import type { UpdateOffer } from './image.ts';

/**
 * An update over the air. All of it is stored in flash, so that it continues after any reset:
 *
 *     offered → downloading → downloaded → installing → trial → over
 *                  │ cut: continues, or restarts           │ fails its self-test, or is reset too often
 *                  └ too large, corrupt: over              └ the old bank runs again: over
 *
 * A program is stored in one of two banks. The new one is written into the other bank while the box is
 * offline. It runs on trial first, and replaces the old one only after it has passed its self-test.
 */
export interface FirmwareUpdate {
  readonly offer: UpdateOffer;
  readonly phase: UpdatePhase;
  /** Number of received chunks, and their digest so far. */
  readonly received: number;
  readonly digest: number;
  /** Connections that the server closed early; installations begun; boots on trial. */
  readonly connectionBreaks: number;
  readonly installs: number;
  readonly trials: number;
  /** The clock's counter when it was offered. */
  readonly offeredCounterMs: number;
  readonly outcome: UpdateOutcome | undefined;
  /** The event with its outcome is recorded. */
  readonly isReported: boolean;
}

export const UPDATE_PHASES = ['downloading', 'downloaded', 'installing', 'trial', 'over'] as const;
export type UpdatePhase = (typeof UPDATE_PHASES)[number];

export const UPDATE_OUTCOMES = [
  'installed',
  'too-large',
  'corrupt',
  'cut-off',
  'too-late',
  'interrupted',
  'rolled-back',
] as const;
export type UpdateOutcome = (typeof UPDATE_OUTCOMES)[number];

/** The installed program and the content of the other bank. */
export interface InstalledProgram {
  readonly version: FirmwareVersion;
  readonly bank: 0 | 1;
  /** The version in the other bank; undefined: the bank is empty. */
  readonly other: FirmwareVersion | undefined;
}

/** The download over the mobile network. Kept in RAM only. */
export interface UpdateTransfer {
  /** When the next chunk is received or, if `isWaiting`, when to connect to the server again. */
  readonly dueAt: number;
  readonly isWaiting: boolean;
  /** Chunks received over this connection. */
  readonly chunks: number;
}
