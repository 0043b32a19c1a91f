/** One metric as Prometheus sees it (https://prometheus.io/docs/practices/naming/). docs/operating.md has the same table. */
export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Values come from tables in the code, or are few by configuration: never ids of vehicles, boxes or clients. */
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[];
}

const LATENCY = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A message may wait as long as its broker is unavailable. */
const LONG_LATENCY = [...LATENCY, 30, 60, 300, 3_600, 86_400];
const UP_TO_ANSWER = [...LATENCY, 20, 30];

/** All metrics there are. */
export const METRICS = {
  boxtwin_payloads_total: { kind: 'counter', help: 'MQTT payloads taken into commits.' },
  boxtwin_payloads_dropped_total: {
    kind: 'counter',
    help: 'Payloads that could not be processed: a fault of the service.',
  },
  boxtwin_frames_total: {
    kind: 'counter',
    help: 'Frames of boxes by what became of them: stored, duplicate, presence, refused, postponed, undecodable.',
    labels: ['verdict'],
  },
  boxtwin_records_lost_total: {
    kind: 'counter',
    help: 'Records that are missing: given up by the box, which reports it (box), or without a report (unexplained).',
    labels: ['reason'],
  },
  boxtwin_quarantined_total: { kind: 'counter', help: 'Byte strings put in quarantine.' },
  boxtwin_box_troubles_total: {
    kind: 'counter',
    help: 'Irregularities of boxes.',
    labels: ['kind'],
  },
  boxtwin_frames_down_total: {
    kind: 'counter',
    help: 'Receipts and unreadables for boxes: sent, lost, withheld.',
    labels: ['kind', 'outcome'],
  },
  boxtwin_commits_total: {
    kind: 'counter',
    help: 'Commits of ingest: done, stale (decided again), fenced (another backend has the boxes), failed (the store).',
    labels: ['outcome'],
  },
  boxtwin_commit_latency_seconds: {
    kind: 'histogram',
    help: 'From the arrival of the oldest payload of a batch to its commit.',
    buckets: LATENCY,
  },
  boxtwin_intake_oldest_age_seconds: {
    kind: 'gauge',
    help: 'How long the oldest payload has been waiting for its commit.',
  },
  boxtwin_partitions_held: {
    kind: 'gauge',
    help: 'Partitions of the boxes that this backend serves, where several share them.',
  },
  boxtwin_backends: { kind: 'gauge', help: 'Backends that share the boxes, this one included.' },
  boxtwin_partition_moves_total: {
    kind: 'counter',
    help: 'Partitions that this backend has gained, lost to others or to its own silence, passed on in order, or left without the MQTT broker.',
    labels: ['event'],
  },
  boxtwin_intake_fill_ratio: {
    kind: 'gauge',
    help: 'How full the intake is, from 0 to 1 and a little beyond; at 1 reading from the MQTT broker is paused.',
  },
  boxtwin_intake_braked_total: {
    kind: 'counter',
    help: 'Payloads that arrived while the intake was full and paused reading from the MQTT broker.',
  },
  boxtwin_boxes_connected: { kind: 'gauge', help: 'Boxes with an open session.' },
  boxtwin_mqtt_connected: { kind: 'gauge', help: '1 while there is a session with the MQTT broker.' },
  boxtwin_mqtt_sessions_total: {
    kind: 'counter',
    help: 'Sessions with the MQTT broker: opened, lost (failed attempts too).',
    labels: ['event'],
  },
  boxtwin_amqp_connected: { kind: 'gauge', help: '1 while the message broker takes messages.' },
  boxtwin_amqp_sessions_total: {
    kind: 'counter',
    help: 'Connections to the message broker: opened, lost (failed attempts too), blocked, unblocked, silent.',
    labels: ['event'],
  },
  boxtwin_messages_written_total: {
    kind: 'counter',
    help: 'Messages written to the outbox by ingest and makers.',
  },
  boxtwin_messages_published_total: {
    kind: 'counter',
    help: 'Publications by outcome: confirmed, unroutable (no subscription), homeless (a subscribed queue is missing), refused, in-doubt, unsendable. All but the first two are repeated.',
    labels: ['outcome'],
  },
  boxtwin_courier_latency_seconds: {
    kind: 'histogram',
    help: 'From the creation of a message to its confirm by the broker.',
    buckets: LONG_LATENCY,
  },
  boxtwin_outbox_messages: { kind: 'gauge', help: 'Messages in the outbox.' },
  boxtwin_outbox_bytes: { kind: 'gauge', help: 'Bytes of the bodies in the outbox.' },
  boxtwin_outbox_oldest_age_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest message in the outbox; 0 if there is none.',
  },
  boxtwin_outbox_dropped_messages_total: {
    kind: 'counter',
    help: 'Messages dropped because of a bound of the outbox (messages, bytes, age), counted across restarts.',
    labels: ['reason'],
  },
  boxtwin_outbox_dropped_arrived_total: {
    kind: 'counter',
    help: 'Dropped messages that were in transit and arrived nevertheless.',
    labels: ['reason'],
  },
  boxtwin_commands_total: {
    kind: 'counter',
    help: 'Commands and configurations by who carries them out (box, maker) and the answer: done, or the problem.',
    labels: ['by', 'outcome'],
  },
  boxtwin_http_requests_total: {
    kind: 'counter',
    help: 'Requests by route (none: no such route or method) and class of status (2xx).',
    labels: ['route', 'status'],
  },
  boxtwin_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'From the arrival of a request to its answer.',
    labels: ['route'],
    buckets: UP_TO_ANSWER,
  },
  boxtwin_third_party_calls_total: {
    kind: 'counter',
    help: 'Calls to other services (SIM providers, makers, the alert address) by class of status, or failed.',
    labels: ['remote', 'outcome'],
  },
  boxtwin_third_party_events_total: {
    kind: 'counter',
    help: "Events of the makers' clouds: polls and how they ended, notifications, states.",
    labels: ['event'],
  },
  boxtwin_bulk_items_pending: { kind: 'gauge', help: 'Vehicles of bulk jobs that have no result yet.' },
  boxtwin_bulk_attempts_total: {
    kind: 'counter',
    help: 'Attempts at vehicles of bulk jobs: begun (attempts) and how they ended.',
    labels: ['event'],
  },
  boxtwin_failures_total: {
    kind: 'counter',
    help: 'Requests answered with 500, by problem.',
    labels: ['problem'],
  },
  boxtwin_operator_alerts_total: {
    kind: 'counter',
    help: 'Alerts for the operator: sent, failed, dropped.',
    labels: ['outcome'],
  },
  boxtwin_store_up: {
    kind: 'gauge',
    help: '1 if the store can be read and written. If it cannot be read, its figures are missing.',
  },
  boxtwin_store_writes_failed_total: {
    kind: 'counter',
    help: 'Writes by any part of the service that failed because the store failed.',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;
