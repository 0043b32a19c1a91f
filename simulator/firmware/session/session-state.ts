import type { ResetReason } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import type { RunningInput } from '../core/input.ts';

/** In their order. */
export const SESSION_PHASES = ['down', 'connecting', 'subscribing', 'greeting', 'ready'] as const;
export const MODEM_PHASES = ['off', 'searching', 'registered', 'data-up'] as const;

/**
 * The session with the backend: connect → subscribe → birth (retained) and hello → the first receipt → ready. Records
 * leave only then, so a broker without a backend behind it gets a hello now and then and nothing else.
 */
export interface SessionState {
  readonly phase: (typeof SESSION_PHASES)[number];
  /** Connections in a row that did not become ready. */
  readonly attempts: number;
  /** Not before that time the next connection. */
  readonly retryAt: number;
  /** The broker had kept the session: what is older than the hello may come before the answer to it. */
  readonly isResumed: boolean;
  /** When the first hello of this connection went out. */
  readonly helloAt: number;
  readonly helloRepeatAt: number;
  readonly helloRepeatMs: number;
  /** Hellos of this connection. */
  readonly hellos: number;
  /** The clock of the receipt that answered them. */
  readonly answeredClockMs: number;
  /** When to say once more that the box is ready; undefined: the backend has shown that it knows. */
  readonly readyRepeatAt: number | undefined;
  readonly readyRepeatMs: number;
  /** When the wait for the broker's word on connection or subscription ends. */
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
 * The modem: off → searching → registered → data up. Each change takes a while, by chance. Without coverage, without
 * a network or with a suspended SIM it searches on for ever. Detached by the SIM's provider it loses the network once,
 * and registers again by itself.
 */
export interface Modem {
  readonly phase: (typeof MODEM_PHASES)[number];
  /** When the phase ends by itself; undefined: it waits for something outside. */
  readonly until: number | undefined;
  readonly upAt: number | undefined;
  readonly dataUpAt: number | undefined;
}

export const modemOff: Modem = { phase: 'off', until: undefined, upAt: undefined, dataUpAt: undefined };

/** On its way down on purpose: waits for its goodbyes to be acknowledged. */
export interface GoingOffline {
  readonly tokens: readonly number[];
  readonly until: number;
  readonly afterwards: OfflineAction;
}

/** What a box does once it has said goodbye. */
export type OfflineAction =
  | { readonly do: 'reset'; readonly reason: ResetReason; readonly downMs: number }
  /** Writes a program into the other bank. */
  | { readonly do: 'install' }
  /** Powers down until the supply is good again. */
  | { readonly do: 'sleep' };

/**
 * The application hangs: nothing is looked at, carried out or sent. The network's part goes on, so that the link stands
 * and what arrives is taken into a buffer. When the application goes on it works that off; if it does not, the watchdog
 * resets the box, and the buffer is lost.
 */
export interface Hang {
  readonly until: number;
  readonly watchdogAt: number;
  readonly bufferedInputs: readonly RunningInput[];
}
