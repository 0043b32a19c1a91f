import type { FirmwareVersion } from '../../protocol/firmware.ts';
import type { Offer } from './image.ts';

/**
 * An update over the air. All of it is in flash, so that it goes on where it was after any reset:
 *
 *     offered → downloading → downloaded → installing → trial → over
 *                  │ cut: goes on, or begins anew          │ fails its self-test, or is reset too often
 *                  └ too large, corrupt: over              └ the old bank runs again: over
 *
 * A program lies in one of two banks. The new one is written into the other bank while the box is down for it; it runs
 * on trial first, and takes the place of the old one only once it has found itself working.
 */
export interface Update {
  readonly offer: Offer;
  readonly phase: Phase;
  /** Chunks that are here, and their digest so far. */
  readonly received: number;
  readonly digest: number;
  /** Connections that the server ended early; installations that were begun; boots on trial. */
  readonly breaks: number;
  readonly installs: number;
  readonly trials: number;
  /** The counter of the clock when it was offered. */
  readonly offeredCounterMs: number;
  readonly outcome: Outcome | undefined;
  /** The event that tells its outcome is recorded. */
  readonly isTold: boolean;
}

export const PHASES = ['downloading', 'downloaded', 'installing', 'trial', 'over'] as const;
export type Phase = (typeof PHASES)[number];

export const OUTCOMES = [
  'installed',
  'too-large',
  'corrupt',
  'cut-off',
  'too-late',
  'interrupted',
  'rolled-back',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The program in force, and what else is in flash. */
export interface Program {
  readonly version: FirmwareVersion;
  readonly bank: 0 | 1;
  /** Of the other bank; undefined: it holds none. */
  readonly other: FirmwareVersion | undefined;
}

/** The transfer of chunks over the link. Lives in RAM only. */
export interface Transfer {
  /** When the next chunk is here, or where `isWaiting` when to connect to the server again. */
  readonly dueAt: number;
  readonly isWaiting: boolean;
  /** Chunks of this connection. */
  readonly chunks: number;
}
