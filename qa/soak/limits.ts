/** The bounds of the soak, and how hard it is. */
export const limits = {
  minutes: 1_440,
  vehicles: 28_000,
  /** The first part of the run is the warm-up; memory is judged over the rest. */
  warmUpShare: 0.5,
  /** Samples are joined to medians, so that one garbage collection does not bend the slope; at most so many. */
  slopePoints: 240,
  /** With fewer of them there is no slope to judge. */
  leastSlopePoints: 8,
  /** A part whose memory grows faster than this is not flat. */
  flatMibPerMinute: 2,
  sampleMs: 1_000,
  metricsMs: 5_000,
  progressMs: 30_000,
  /** For so long the boxes may come online before the weather begins, and this share of them has to. */
  onlineMs: 600_000,
  onlineShare: 0.9,
  /** For so long boxes may heal and journals drain after the weather. */
  healMs: 300_000,
  healLookMs: 10_000,
  /** Of those connected when the weather began, so many are connected again once they have healed. */
  healedShare: 0.95,
  /** Messages that a healthy outbox holds at most between two publications. */
  healedOutbox: 200,
  /** How long `up` may take to its ready line, and to its end before it is cut off. */
  upMs: 120_000,
  endMs: 10_000,
  requestMs: 30_000,
  commandsPerS: 3,
  /** Commands that wait for their answer at once; beyond them one is left out and counted. */
  commandsAtOnce: 100,
  /** What a page of the simulator's list of boxes holds. */
  boxesPerPage: 500,
  plotPoints: 600,
} as const;

/** One kind of weather: how often it comes over boxes, and for how long where it lasts. */
export interface WeatherKind {
  /** The action of the simulator's control API. */
  readonly action: 'coverage' | 'cut-link' | 'brown-out';
  /** So many of the boxes in each minute. */
  readonly sharePerMinute: number;
  /** Drawn between the two; absent: it passes by itself. */
  readonly lastsMs?: readonly [least: number, most: number];
}

/** What comes over the fleet. */
export const WEATHER: readonly WeatherKind[] = [
  { action: 'coverage', sharePerMinute: 0.02, lastsMs: [10_000, 90_000] },
  { action: 'cut-link', sharePerMinute: 0.02 },
  { action: 'brown-out', sharePerMinute: 0.01 },
];
