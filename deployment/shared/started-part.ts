import type { LiveFigures } from './live-figures.ts';

/** A part that was started and runs until it is ended. */
export interface StartedPart<Facts> {
  /**
   * Resolves when it can be used; the banner is shown then. Rejects with a `CommandError` where a given value cannot be
   * used.
   */
  readonly reachable: Promise<Facts>;
  /** Resolves when it has started completely. Rejects where `reachable` does, or where something failed behind it. */
  readonly ready: Promise<Facts>;
  /** Rejects where it cannot continue; absent: it ends only on request. */
  readonly failed?: Promise<never>;
  /** How long its end may take; absent: `limits.shutdownMs`. */
  readonly patienceMs?: number;
  /** Its current figures. Read twice a second, from the start on: it must be very cheap. */
  readonly figures: () => LiveFigures;
  /** Ends it, also while it is still starting. */
  close(): Promise<void>;
}

/** What a part reports to its parent process (`up --processes several`), once it is ready. */
export interface FromChild {
  readonly facts: unknown;
}

/** What a child reports to its parent process repeatedly. */
export interface FiguresOfChild {
  readonly figures: LiveFigures;
}

/** Where the figures go: a status line, separate lines, the parent process, or nowhere. */
export type LiveMode = 'screen' | 'lines' | 'parent' | 'none';
