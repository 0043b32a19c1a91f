import type { Census } from '../store/port/census-store.ts';
import type { DropTotal } from '../store/port/outbox-store.ts';
import type { ServiceCondition } from './condition.ts';
import type { MetricSample } from './counted.ts';
import type { MetricName } from './metric-table.ts';

/** Figures of the store; undefined if it cannot be read. */
export interface StoreFigures {
  readonly census: Census;
  readonly drops: readonly DropTotal[];
}

/**
 * The gauges at this moment. Figures of a store that cannot be read are left out: they are unknown, not 0.
 */
export function gaugesOf(
  condition: ServiceCondition,
  figures: StoreFigures | undefined,
  nowMs: number,
): readonly MetricSample[] {
  const { intake, outbox, partitions } = condition;
  const samples: MetricSample[] = [
    gauge('boxtwin_store_up', condition.store === 'works' && figures !== undefined ? 1 : 0),
    gauge('boxtwin_intake_fill_ratio', intake.fill),
    gauge('boxtwin_intake_oldest_age_seconds', ageS(intake.oldestMs, nowMs)),
    gauge('boxtwin_mqtt_connected', condition.mqtt === 'open' ? 1 : 0),
  ];
  if (condition.amqp !== 'none')
    samples.push(gauge('boxtwin_amqp_connected', condition.amqp === 'open' ? 1 : 0));
  if (partitions !== undefined)
    samples.push(
      gauge('boxtwin_partitions_held', partitions.held.length),
      gauge('boxtwin_backends', partitions.backends),
    );
  if (outbox !== undefined) {
    samples.push(
      gauge('boxtwin_outbox_messages', outbox.messages),
      gauge('boxtwin_outbox_bytes', outbox.bytes),
      gauge('boxtwin_outbox_oldest_age_seconds', ageS(outbox.oldestMs, nowMs)),
    );
  }
  if (figures !== undefined) {
    samples.push(
      gauge('boxtwin_boxes_connected', figures.census.boxesConnected),
      gauge('boxtwin_bulk_items_pending', figures.census.bulkItemsPending),
    );
    for (const { reason, messages, arrived } of figures.drops) {
      const labels = { reason };
      samples.push(
        { metric: 'boxtwin_outbox_dropped_messages_total', labels, value: messages },
        { metric: 'boxtwin_outbox_dropped_arrived_total', labels, value: arrived },
      );
    }
  }
  return samples;
}

function ageS(sinceMs: number | undefined, nowMs: number): number {
  return sinceMs === undefined ? 0 : Math.max(0, nowMs - sinceMs) / 1_000;
}

function gauge(metric: MetricName, value: number): MetricSample {
  return { metric, labels: {}, value };
}
