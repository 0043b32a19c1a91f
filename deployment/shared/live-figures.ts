/** The figures of a running part. Absent: the part does not have the figure, or does not know it now. */
export interface LiveFigures {
  /** Simulated boxes, and how many of them are ready. */
  readonly boxes?: number | undefined;
  readonly boxesReady?: number | undefined;
  /** Of those that are not ready: how many have no radio coverage. Not known while many are not ready. */
  readonly boxesUncovered?: number | undefined;
  /** Boxes with an open session, as far as the service knows. */
  readonly boxesConnected?: number | undefined;
  /** Since the start, from boxes. */
  readonly frames?: number | undefined;
  /** The same in MQTT packets, where the frames in them are not counted. */
  readonly payloads?: number | undefined;
  /** Of ingest, since the start. */
  readonly commits?: number | undefined;
  /** Messages in the outbox. */
  readonly outbox?: number | undefined;
  /** The longest delay of the event loop since the last reading, in milliseconds. */
  readonly lagMs?: number | undefined;
  /** Resident. */
  readonly memoryBytes?: number | undefined;
  /** The share of the time in which the event loop was busy, from 0 to 1. */
  readonly busyShare?: number | undefined;
}

/** A figure as a number from 0 to the largest whole one; other values are 0. */
export function positive(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER) : 0;
}

/** A count as `positive` has it, whole. */
export function whole(value: number): number {
  return Math.floor(positive(value));
}

const sum = (a: number, b: number): number => a + b;

/** How the figures of several processes are combined. A slow process is not averaged out by a fast one. */
const TOGETHER = {
  boxes: sum,
  boxesReady: sum,
  boxesUncovered: sum,
  boxesConnected: sum,
  frames: sum,
  payloads: sum,
  commits: sum,
  outbox: sum,
  lagMs: Math.max,
  memoryBytes: sum,
  busyShare: Math.max,
} as const satisfies Readonly<Record<keyof LiveFigures, (a: number, b: number) => number>>;

/** The figures of a whole from those of its parts; a figure that no part knows is absent. */
export function figuresOfAll(parts: readonly LiveFigures[]): LiveFigures {
  const whole: { -readonly [Name in keyof LiveFigures]: LiveFigures[Name] } = {};
  for (const name of Object.keys(TOGETHER) as (keyof LiveFigures)[]) {
    const known = parts.flatMap((part) => part[name] ?? []);
    if (known.length > 0) whole[name] = known.reduce((a, b) => TOGETHER[name](a, b));
  }
  return whole;
}

/** The figures of a part that is still starting: none, until their source is set. */
export class FiguresSource {
  #read: () => LiveFigures = () => ({});

  /** From now on they are read there. */
  readFrom(read: () => LiveFigures): void {
    this.#read = read;
  }

  readonly read = (): LiveFigures => this.#read();
}
