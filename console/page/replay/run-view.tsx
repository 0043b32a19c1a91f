import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import { ask } from '../state/ask.ts';
import { replaceDraft } from '../state/draft.ts';
import { saveFile } from '../state/save-file.ts';
import { Trouble } from '../trouble.tsx';
import type { Entry } from './entry-of.ts';
import { Lanes } from './lanes.tsx';
import { MomentLog } from './moment-log.tsx';
import { momentText } from './moment-text.ts';
import { PlaceMap } from './place-map.tsx';
import type { ReadRun } from './read-run.ts';
import type { RunIndex } from './run-index.ts';
import { saveReplay } from './saved-replay.ts';
import { firstAfter } from './series.ts';
import type { TraceSource } from './trace-source.ts';
import { VehicleStates } from './vehicle-states.tsx';

/** Milliseconds of the run in one second of playback. */
const PACES = [1_000, 10_000, 60_000, 600_000] as const;

/** One run at one moment; the slider moves all of it. */
export function RunView({ read, source }: { readonly read: ReadRun; readonly source: TraceSource }) {
  const { run, trouble } = read;
  const beginMs = run.beginMs ?? run.entryTimes[0] ?? 0;
  const endMs = Math.max(run.endMs, beginMs + 1);
  const [chosen, setChosen] = useState<number>();
  const entries = useMemo(() => entriesOf(run, chosen), [run, chosen]);
  const playback = usePlayback(entries, { beginMs, endMs, atMs: run.failures[0]?.atMs ?? beginMs });
  const { atMs, setAtMs } = playback;
  return (
    <main class="run">
      <RunTitle run={run} source={source} atMs={atMs} />
      <Trouble text={trouble} />
      {run.failures.length > 0 && (
        <ol class="failures" aria-label="Failures">
          {run.failures.slice(0, 20).map((failure, index) => (
            <li key={`${failure.atMs}-${index}`}>
              <button type="button" onClick={() => setAtMs(failure.atMs)}>
                {momentText(failure.atMs - beginMs)}
              </button>{' '}
              {failure.text}
            </li>
          ))}
        </ol>
      )}
      <div class="panes">
        <VehicleStates run={run} atMs={atMs} chosen={chosen} choose={setChosen} />
        <PlaceMap run={run} atMs={atMs} chosen={chosen} choose={setChosen} />
        <MomentLog entries={entries} atMs={atMs} beginMs={beginMs} go={setAtMs} leftOut={run.leftOut} />
      </div>
      <Lanes
        run={run}
        atMs={atMs}
        spanMs={[beginMs, endMs]}
        chosen={chosen}
        choose={setChosen}
        go={setAtMs}
      />
      <div class="time">
        <PlayControls playback={playback} />
        <Slider run={run} atMs={atMs} beginMs={beginMs} endMs={endMs} go={setAtMs} />
        <output>
          {momentText(atMs - beginMs)} <small>{new Date(atMs).toISOString().slice(0, 23)}</small>
        </output>
      </div>
    </main>
  );
}

/** The moment that is shown, and its controls. */
interface Playback {
  readonly atMs: number;
  readonly isPlaying: boolean;
  readonly pace: number;
  setAtMs(atMs: number): void;
  setIsPlaying(isPlaying: boolean): void;
  setPace(pace: number): void;
  /** To the next entry, or the one before. */
  step(forward: boolean): void;
}

/** `at.atMs` is the first moment. */
function usePlayback(
  entries: readonly Entry[],
  at: { readonly beginMs: number; readonly endMs: number; readonly atMs: number },
): Playback {
  const { beginMs, endMs } = at;
  const [atMs, setAtMs] = useState(at.atMs);
  const [pace, setPace] = useState<number>(PACES[1]);
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return undefined;
    let before = performance.now();
    let frame = requestAnimationFrame(function play(nowMs) {
      const passedMs = ((nowMs - before) / 1_000) * pace;
      before = nowMs;
      setAtMs((current) => Math.min(endMs, current + passedMs));
      frame = requestAnimationFrame(play);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, pace, endMs]);
  useEffect(() => {
    if (atMs >= endMs) setIsPlaying(false);
  }, [atMs, endMs]);
  const step = (forward: boolean) => {
    const times = entries.map((entry) => entry.atMs);
    const next = forward ? times[firstAfter(times, atMs)] : times[firstAfter(times, atMs - 1) - 1];
    setIsPlaying(false);
    setAtMs(next ?? (forward ? endMs : beginMs));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== 'range') return;
    if (event.target instanceof HTMLSelectElement) return;
    if (event.key === 'n') step(true);
    if (event.key === 'p') step(false);
    if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      setIsPlaying(!isPlaying);
    }
  };
  const latest = useRef(onKeyDown);
  latest.current = onKeyDown;
  // On the document: the keys work wherever the focus is.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return { atMs, isPlaying, pace, setAtMs, setIsPlaying, setPace, step };
}

/** The name and the verdict of a run, with the buttons to branch and to save it. */
function RunTitle(title: { readonly run: RunIndex; readonly source: TraceSource; readonly atMs: number }) {
  const { run, source, atMs } = title;
  const [note, setNote] = useState('');
  const fail = (error: unknown) => setNote(errorText(error));
  const branch = () => {
    branchAt(run, atMs).then(setNote, fail);
  };
  const save = () => {
    saveReplay(source, run.scenario).then((name) => setNote(`Saved as ${name}`), fail);
  };
  return (
    <div class="title">
      <h2>
        {run.scenario} <small>seed {run.seed}</small>{' '}
        <span class={run.verdict === 'passed' ? 'good' : 'bad'}>
          <span class="outcome">{run.verdict ?? 'not finished'}</span>
        </span>
      </h2>
      <span>
        <button type="button" onClick={branch} disabled={run.document === undefined}>
          New scenario from here
        </button>{' '}
        <button type="button" onClick={save}>
          Save as one HTML file
        </button>{' '}
        <span role="status">{note}</span>
      </span>
    </div>
  );
}

function PlayControls({ playback }: { readonly playback: Playback }) {
  const { isPlaying, pace, setIsPlaying, setPace, step } = playback;
  return (
    <>
      <button type="button" onClick={() => step(false)} title="p">
        ◀ Event
      </button>
      <button type="button" onClick={() => setIsPlaying(!isPlaying)} title="space">
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <button type="button" onClick={() => step(true)} title="n">
        Event ▶
      </button>
      <select aria-label="Pace" value={pace} onChange={(event) => setPace(Number(event.currentTarget.value))}>
        {PACES.map((one) => (
          <option key={one} value={one}>
            {one / 1_000}×
          </option>
        ))}
      </select>
    </>
  );
}

function Slider(slider: {
  readonly run: RunIndex;
  readonly atMs: number;
  readonly beginMs: number;
  readonly endMs: number;
  go(atMs: number): void;
}) {
  const { run, beginMs, endMs } = slider;
  const share = (atMs: number) => `${((atMs - beginMs) / (endMs - beginMs)) * 100}%`;
  return (
    <span class="slider">
      <input
        type="range"
        aria-label="Moment"
        aria-valuetext={momentText(slider.atMs - beginMs)}
        min={beginMs}
        max={endMs}
        step={1}
        value={slider.atMs}
        onInput={(event) => slider.go(Number(event.currentTarget.value))}
      />
      {run.faults.slice(0, 500).map((fault, index) => (
        <i
          key={`fault-${index}`}
          class="fault"
          title={`${fault.name} ${fault.detail}`}
          style={{ left: share(fault.fromMs), right: `calc(100% - ${share(fault.toMs ?? endMs)})` }}
        />
      ))}
      {run.failures.slice(0, 200).map((failure, index) => (
        <i
          key={`failure-${index}`}
          class="failure"
          title={failure.text}
          style={{ left: share(failure.atMs) }}
        />
      ))}
    </span>
  );
}

/** All entries, or those of one vehicle and of no vehicle. */
function entriesOf(run: RunIndex, chosen: number | undefined): readonly Entry[] {
  if (chosen === undefined) return run.entries;
  return run.entries.filter(({ vehicle }) => vehicle === chosen || vehicle === undefined);
}

/**
 * Creates a scenario that is the same up to a moment: the steps that had begun by then. If the console has an editor it
 * is opened there; otherwise it is saved as a file. Resolves with the result; rejects where the console is unreachable.
 */
async function branchAt(run: RunIndex, atMs: number): Promise<string> {
  const steps = run.entries.reduce(
    (most, { atMs: then, begins }) =>
      begins !== undefined && then <= atMs ? Math.max(most, begins + 1) : most,
    0,
  );
  if (!location.protocol.startsWith('http'))
    throw new Error(
      'A saved replay cannot make a scenario: open the trace with "boxtwin replay TRACE" for that.',
    );
  const { text } = await ask<{ readonly text: string }>('/console/branches', {
    document: run.document,
    steps,
    atMs: Math.max(0, Math.round(atMs - (run.beginMs ?? 0))),
  });
  const editor = await fetch('/console/scenarios', { method: 'HEAD' });
  if (!editor.ok) return `Saved as ${saveFile(`${run.scenario}.branch.yaml`, text, 'application/yaml')}`;
  replaceDraft(text);
  location.href = '/#/scenarios';
  return 'Opened in the editor';
}
