import type { ResetReason } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import type { RunningInput } from '../core/input.ts';

/** In their order. */
export const SESSION_PHASES = ['down', 'connecting', 'subscribing', 'greeting', 'ready'] as const;
export const MODEM_PHASES = ['off', 'searching', 'registered', 'data-up'] as const;

/**
 * The session with the backend: connect → subscribe → birth (retained) and hello → the first receipt → ready. Records
 * are sent only when ready, so a broker without a backend only receives occasional hellos.
 */
export interface SessionState {
  readonly phase: (typeof SESSION_PHASES)[number];
  /** Connections in a row that did not become ready. */
  readonly attempts: number;
  /** The earliest time of the next connection. */
  readonly retryAt: number;
  /** The broker had kept the session: older messages may arrive before the answer to the hello. */
  readonly isResumed: boolean;
  /** When the first hello of this connection went out. */
  readonly helloAt: number;
  readonly helloRepeatAt: number;
  readonly helloRepeatMs: number;
  /** Hellos of this connection. */
  readonly hellos: number;
  /** The clock of the receipt that answered them. */
  readonly answeredClockMs: number;
  /** When to repeat the `ready`; undefined: the backend has confirmed it. */
  readonly readyRepeatAt: number | undefined;
  readonly readyRepeatMs: number;
  /** When the wait for the broker's CONNACK or SUBACK ends. */
  readonly until: number;
}

export const sessionDown: SessionState = {
  phase: 'down',
  attempts: 0,
  retryAt: 0,
  isResumed: false,
  helloAt: 0,
  helloRepeatAt: 0,
  helloRepeatMs: limits.helloRepeatFirstMs,
  hellos: 0,
  answeredClockMs: 0,
  readyRepeatAt: undefined,
  readyRepeatMs: limits.readyRepeatFirstMs,
  until: 0,
};

/**
 * The modem: off → searching → registered → data up. Each change takes a while, by chance. Without coverage, without a
 * network or with a suspended SIM it searches indefinitely. Detached by the SIM's provider it loses the network once,
 * and registers again automatically.
 */
export interface Modem {
  readonly phase: (typeof MODEM_PHASES)[number];
  /** When the phase ends; undefined: it waits for an external event. */
  readonly until: number | undefined;
  readonly upAt: number | undefined;
  readonly dataUpAt: number | undefined;
}

export const modemOff: Modem = { phase: 'off', until: undefined, upAt: undefined, dataUpAt: undefined };

/** Going offline: waits for the acknowledgement of its announcements. */
export interface GoingOffline {
  readonly tokens: readonly number[];
  readonly until: number;
  readonly afterwards: OfflineAction;
}

/** The action of a box after its announcements. */
export type OfflineAction =
  | { readonly do: 'reset'; readonly reason: ResetReason; readonly downMs: number }
  /** Writes a program into the other bank. */
  | { readonly do: 'install' }
  /** Powers down until the supply is good again. */
  | { readonly do: 'sleep' };

/**
 * The application hangs: nothing is sampled, carried out or sent. The network stack continues: the link stays up and
 * arriving frames are buffered. When the application continues it processes the buffer; otherwise the watchdog resets
 * the box, and the buffer is lost.
 */
export interface Hang {
  readonly until: number;
  readonly watchdogAt: number;
  readonly bufferedInputs: readonly RunningInput[];
}
