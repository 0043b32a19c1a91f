import type { MetricName } from './metric-table.ts';

interface Row {
  readonly counts: RegExp;
  readonly metric: MetricName;
  /** Fixed labels; the groups of the expression are labels too. */
  readonly labels?: Readonly<Record<string, string>>;
}

const refused = 'foreign-topic|unknown-box|old-epoch|wrong-direction|wrong-channel|impossible-tombstone';

/**
 * Which counts (backend/base/counters.ts) make up which metric. A count may be part of several; most are part of
 * one.
 */
const ROWS: readonly Row[] = [
  { counts: /^payloads$/, metric: 'boxtwin_payloads_total' },
  { counts: /^payloads\.dropped$/, metric: 'boxtwin_payloads_dropped_total' },
  { counts: /^records\.(?<verdict>stored|duplicate)$/, metric: 'boxtwin_frames_total' },
  {
    counts: /^frames\.(birth|gone|hello|ready|going-down)$/,
    metric: 'boxtwin_frames_total',
    labels: { verdict: 'presence' },
  },
  { counts: /^faults\./, metric: 'boxtwin_frames_total', labels: { verdict: 'undecodable' } },
  {
    counts: new RegExp(`^troubles\\.(${refused})$`),
    metric: 'boxtwin_frames_total',
    labels: { verdict: 'refused' },
  },
  { counts: /^troubles\.too-many-gaps$/, metric: 'boxtwin_frames_total', labels: { verdict: 'postponed' } },
  { counts: /^records\.lost$/, metric: 'boxtwin_records_lost_total', labels: { reason: 'box' } },
  {
    counts: /^records\.unexplained$/,
    metric: 'boxtwin_records_lost_total',
    labels: { reason: 'unexplained' },
  },
  { counts: /^quarantined$/, metric: 'boxtwin_quarantined_total' },
  { counts: /^troubles\.(?<kind>.+)$/, metric: 'boxtwin_box_troubles_total' },
  { counts: /^down\.(?<kind>.+)\.(?<outcome>sent|lost|withheld)$/, metric: 'boxtwin_frames_down_total' },
  { counts: /^commits\.(?<outcome>done|stale|fenced|failed)$/, metric: 'boxtwin_commits_total' },
  { counts: /^partitions\.(?<event>gained|lost|passed|left)$/, metric: 'boxtwin_partition_moves_total' },
  { counts: /^writes\.failed$/, metric: 'boxtwin_store_writes_failed_total' },
  { counts: /^intake\.braked$/, metric: 'boxtwin_intake_braked_total' },
  { counts: /^uplink\.(?<event>opened|lost)$/, metric: 'boxtwin_mqtt_sessions_total' },
  {
    counts: /^outlet\.(?<event>opened|lost|blocked|unblocked|silent)$/,
    metric: 'boxtwin_amqp_sessions_total',
  },
  { counts: /^messages\.written$/, metric: 'boxtwin_messages_written_total' },
  {
    counts: /^messages\.(?<outcome>confirmed|unroutable|homeless|refused|in-doubt|unsendable)$/,
    metric: 'boxtwin_messages_published_total',
  },
  { counts: /^commands\.(?<by>box|maker)\.(?<outcome>.+)$/, metric: 'boxtwin_commands_total' },
  { counts: /^calls\.(?<outcome>[1-5]xx|failed)\.(?<remote>.+)$/, metric: 'boxtwin_third_party_calls_total' },
  { counts: /^third-party\.(?<event>.+)$/, metric: 'boxtwin_third_party_events_total' },
  { counts: /^bulk\.(?<event>.+)$/, metric: 'boxtwin_bulk_attempts_total' },
  { counts: /^failures\.(?<problem>.+)$/, metric: 'boxtwin_failures_total' },
  { counts: /^alerts\.(?<outcome>sent|failed|dropped)$/, metric: 'boxtwin_operator_alerts_total' },
];

/** One value of a metric. */
export interface MetricSample {
  readonly metric: MetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of the counts, by metric. Samples with the same labels add up. */
export function samplesOf(counts: Readonly<Record<string, number>>): readonly MetricSample[] {
  return Object.entries(counts).flatMap(([name, value]) =>
    ROWS.flatMap(({ counts: pattern, metric, labels }) => {
      const match = pattern.exec(name);
      return match === null ? [] : [{ metric, labels: { ...match.groups, ...labels }, value }];
    }),
  );
}
