import type { Entry } from './entry-of.ts';
import { entryText } from './entry-text.ts';
import { momentText } from './moment-text.ts';
import { firstAfter } from './series.ts';

/** Lines before and after the moment. */
const BEFORE = 14;
const BEHIND = 10;

/** The events around the moment. */
export function MomentLog(log: {
  readonly entries: readonly Entry[];
  readonly atMs: number;
  readonly beginMs: number;
  readonly leftOut: number;
  go(atMs: number): void;
}) {
  const { entries, atMs, beginMs } = log;
  const now = firstAfter(
    entries.map((entry) => entry.atMs),
    atMs,
  );
  const from = Math.max(0, now - BEFORE);
  return (
    <section class="log" aria-label="What happened">
      <ol>
        {entries.slice(from, now + BEHIND).map((entry, index) => (
          <li
            key={from + index}
            class={`${entry.isBad ? 'bad' : ''} ${from + index < now ? '' : 'later'}`}
            data-kind={entry.kind}
          >
            <button type="button" onClick={() => log.go(entry.atMs)}>
              {momentText(entry.atMs - beginMs)}
            </button>{' '}
            {entry.vehicle === undefined ? '' : `${entry.vehicle} `}
            <span class="outcome">{entryText(entry)}</span>
          </li>
        ))}
      </ol>
      {log.leftOut > 0 && <p class="count">{log.leftOut} frames are left out: the run has too many</p>}
    </section>
  );
}
