/** One row of the status of the service. */
export interface HealthCheck {
  readonly name: string;
  readonly status: string;
  readonly reason: string;
}

/** The figures that are drawn over time: a metric of the service (`/metrics`), summed over its labels. */
export const FIGURES = [
  { metric: 'boxtwin_boxes_connected', title: 'Boxes connected', kind: 'level' },
  { metric: 'boxtwin_frames_total', title: 'Frames', kind: 'rate' },
  { metric: 'boxtwin_commits_total', title: 'Commits', kind: 'rate' },
  { metric: 'boxtwin_intake_oldest_age_seconds', title: 'Ingest lag (s)', kind: 'level' },
  { metric: 'boxtwin_outbox_messages', title: 'Outbox', kind: 'level' },
  { metric: 'boxtwin_messages_published_total', title: 'Messages', kind: 'rate' },
  { metric: 'boxtwin_partitions_held', title: 'Partitions held', kind: 'level' },
  { metric: 'boxtwin_http_requests_total', title: 'Requests', kind: 'rate' },
] as const;

/** The status of the service at a moment. */
export interface Health {
  readonly atMs: number;
  /** Empty where it does not answer. */
  readonly checks: readonly HealthCheck[];
  /** By the name of the metric; absent: the service has no such metric. */
  readonly figures: Readonly<Record<string, number>>;
  /** Why there is no data of it; absent: there is. */
  readonly silence?: string;
}

/** Whether the simulator and the service answer the console. */
export interface ConsoleStatus {
  /** Why the simulator does not answer; absent: it does. */
  readonly simulatorSilence?: string;
  /** The same of the service; absent too if this fleet has none. */
  readonly serviceSilence?: string;
}
