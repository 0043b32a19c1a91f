import { useMemo, useState } from 'preact/hooks';
import { firstDifference } from './difference.ts';
import type { Entry } from './entry-of.ts';
import { entryText } from './entry-text.ts';
import { MomentLog } from './moment-log.tsx';
import { momentText } from './moment-text.ts';
import type { ReadRun } from './read-run.ts';
import type { RunIndex } from './run-index.ts';
import { VehicleStates } from './vehicle-states.tsx';

/** Two runs in parallel at one moment, from the beginning of each; initially where they diverge. */
export function CompareView({ one, other }: { readonly one: ReadRun; readonly other: ReadRun }) {
  const difference = useMemo(() => firstDifference(one.run, other.run), [one, other]);
  const longestMs = Math.max(lengthOf(one.run), lengthOf(other.run));
  const [afterMs, setAfterMs] = useState(difference?.afterMs ?? 0);
  const [chosen, setChosen] = useState<number>();
  return (
    <main class="run compare">
      <p class="difference" role="status">
        {difference === undefined ? (
          'The two runs are identical.'
        ) : (
          <>
            First difference at{' '}
            <button type="button" onClick={() => setAfterMs(difference.afterMs)}>
              {momentText(difference.afterMs)}
            </button>
            : this run has {lineText(difference.one)}, the other {lineText(difference.other)}
          </>
        )}
      </p>
      <div class="sides">
        {[one, other].map(({ run }, index) => (
          <section
            key={index === 0 ? 'one' : 'other'}
            aria-label={index === 0 ? 'This run' : 'The other run'}
          >
            <h2>
              {run.scenario} <small>seed {run.seed}</small>{' '}
              <span class={run.verdict === 'passed' ? 'good' : 'bad'}>
                <span class="outcome">{run.verdict ?? 'not finished'}</span>
              </span>
            </h2>
            <VehicleStates run={run} atMs={beginOf(run) + afterMs} chosen={chosen} choose={setChosen} />
            <MomentLog
              entries={run.entries}
              atMs={beginOf(run) + afterMs}
              beginMs={beginOf(run)}
              leftOut={run.leftOut}
              go={(atMs) => setAfterMs(atMs - beginOf(run))}
            />
          </section>
        ))}
      </div>
      <div class="time">
        <span class="slider">
          <input
            type="range"
            aria-label="Moment of both"
            min={0}
            max={longestMs}
            value={afterMs}
            onInput={(event) => setAfterMs(Number(event.currentTarget.value))}
          />
        </span>
        <output>{momentText(afterMs)}</output>
      </div>
    </main>
  );
}

function lineText(entry: Entry | undefined): string {
  return entry === undefined ? 'nothing further' : entryText(entry);
}

function beginOf(run: RunIndex): number {
  return run.beginMs ?? run.entryTimes[0] ?? 0;
}

function lengthOf(run: RunIndex): number {
  return Math.max(1, run.endMs - beginOf(run));
}
