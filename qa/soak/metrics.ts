/** What the soak looks at of GET /metrics; NaN: it is not told. */
export interface ServiceFigures {
  readonly connected: number;
  readonly outbox: number;
  /** Age of the oldest message in the outbox. */
  readonly lagS: number;
}

/** Out of Prometheus's text-based format. Total. */
export function figuresIn(text: string): ServiceFigures {
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    connected: value('boxtwin_boxes_connected'),
    outbox: value('boxtwin_outbox_messages'),
    lagS: value('boxtwin_outbox_oldest_age_seconds'),
  };
}
