import type { Reply } from '../../../protocol/message.ts';
import type { BoxLog } from './box-log.ts';

/** A request to a box in a trial, and its replies. */
export interface TriedRequest {
  readonly requestId: string;
  readonly sentMs: number;
  /** Undefined: none came. */
  readonly reply: Reply | undefined;
}

/** The trials of one box; undefined: the trial did not take place. */
export interface BoxTrials {
  readonly boxId: string;
  /** The start of the wait for its hello and ready. */
  readonly beganMs: number;
  isReady: boolean;
  status?: TriedRequest;
  state?: TriedRequest;
  expired?: TriedRequest;
  /** Sent twice. */
  doubled?: TriedRequest;
  configured?: TriedRequest;
  configuredAgain?: TriedRequest;
  configuredLower?: TriedRequest;
  /** The record whose receipt was withheld, and when. */
  withheld?: { readonly epoch: number; readonly sequence: number; readonly sinceMs: number };
  reset?: TriedRequest & { readonly readyAgainMs: number | undefined };
}

/** One box: its traffic, and its trials. */
export interface BoxEvidence {
  readonly log: BoxLog;
  readonly trials: BoxTrials;
}
