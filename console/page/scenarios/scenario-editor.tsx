import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import type { ScenarioEntry, ScenarioMistake, ScenarioRun } from '../../stream/scenarios.ts';
import { Controls } from '../controls.tsx';
import { type AskFailed, ask } from '../state/ask.ts';
import { askUntil } from '../state/ask-until.ts';
import { useAsked } from '../state/use-asked.ts';
import { schemaWords } from './schema-words.ts';
import { type CursorWish, type GivenText, YamlEditor } from './yaml-editor.tsx';

const CHECK_MS = 400;
const POLL_MS = 300;

/** The text of a scenario with its mistakes, and its run. */
export function ScenarioEditor(editor: {
  readonly text: string;
  readonly given: GivenText;
  /** The scenarios that exist. */
  readonly entries: readonly ScenarioEntry[];
  change(text: string): void;
  saved(): void;
}) {
  const { text } = editor;
  const { answer: published } = useAsked<unknown>('/console/scenario-schema');
  const schema = useMemo(() => (published === undefined ? undefined : schemaWords(published)), [published]);
  const [cursor, setCursor] = useState<CursorWish>();
  const [note, setNote] = useState('');
  const { mistakes, run, setRun } = useChecksAndRun(text, setNote);
  /** The name under which this text was saved here, or under which the user confirmed to save it. */
  const confirmed = useRef<string>(undefined);
  const fail = (error: unknown) => setNote(errorText(error));

  const goTo = ({ line, column }: ScenarioMistake) =>
    setCursor(({ count } = { line, column, count: 0 }) => ({ line, column, count: count + 1 }));
  const save = () => {
    const name = /^name: *["']?([a-z0-9][a-z0-9-]*)["']?\s*(?:#.*)?$/m.exec(text)?.[1];
    if (name === undefined) return setNote('Give it a name first, of a-z, 0-9 and "-": name: my-scenario');
    const same = editor.entries.filter((entry) => entry.name === name);
    if (same.some(({ isBuiltIn }) => isBuiltIn)) return setNote(`${name} is built in: choose another name`);
    if (same.length > 0 && confirmed.current !== name) {
      confirmed.current = name;
      return setNote(`${name} exists already: press Save again to replace it`);
    }
    ask('/console/scenarios', { name, text }).then(() => {
      setNote(`Saved as ${name}${mistakes.length > 0 ? ', with its mistakes' : ''}`);
      confirmed.current = name;
      editor.saved();
    }, fail);
    return undefined;
  };
  const start = () => {
    setNote('');
    ask<ScenarioRun>('/console/runs', { text }).then(setRun, fail);
  };

  return (
    <>
      <p class="buttons">
        <Controls of="console">
          <button type="button" onClick={start} disabled={mistakes.length > 0 || run?.state === 'running'}>
            Run
          </button>{' '}
          <button type="button" onClick={save}>
            Save
          </button>
        </Controls>{' '}
        <span role="status">{note}</span>
      </p>
      <YamlEditor
        given={editor.given}
        mistakes={mistakes}
        schema={schema}
        cursor={cursor}
        change={editor.change}
      />
      <ul id="mistakes" class="mistakes" aria-live="polite">
        {mistakes.map((mistake) => (
          <li key={`${mistake.line}:${mistake.column} ${mistake.text}`} class="bad">
            <button type="button" onClick={() => goTo(mistake)}>
              {mistake.line}:{mistake.column}
            </button>{' '}
            <span class="outcome">{mistake.text}</span>
          </li>
        ))}
      </ul>
      {run !== undefined && <RunResult run={run} />}
    </>
  );
}

/**
 * The mistakes of the text, checked whenever it changes, and the run that was started. `setNote`: why the console does
 * not answer.
 */
function useChecksAndRun(text: string, setNote: (change: string | ((before: string) => string)) => void) {
  const [mistakes, setMistakes] = useState<readonly ScenarioMistake[]>([]);
  const [run, setRun] = useState<ScenarioRun>();
  const silence = useRef('');
  /** The console answers again: the note that it does not is out of date. */
  const answered = () => setNote((before) => (before === silence.current ? '' : before));
  const silent = ({ message }: AskFailed) => {
    silence.current = message;
    setNote(message);
    return true;
  };
  useEffect(
    () =>
      askUntil<readonly ScenarioMistake[]>({
        path: '/console/scenario-checks',
        body: { text },
        afterMs: CHECK_MS,
        take: (found) => {
          answered();
          setMistakes(found);
        },
        failed: silent,
      }),
    [text],
  );
  useEffect(() => {
    if (run?.state !== 'running') return undefined;
    return askUntil<ScenarioRun>({
      path: `/console/runs/${run.id}`,
      afterMs: POLL_MS,
      take: (found) => {
        answered();
        setRun(found);
      },
      failed: (error) => {
        if (error.status !== 404) return silent(error);
        // A console that was restarted does not know the run.
        setNote(error.message);
        setRun(undefined);
        return false;
      },
    });
  }, [run]);
  return { mistakes, run, setRun };
}

function RunResult({ run }: { readonly run: ScenarioRun }) {
  return (
    <section class={run.verdict === 'passed' ? 'result good' : 'result bad'} aria-label="Result">
      <p>
        <strong class="outcome">{run.verdict ?? 'running'}</strong> after {(run.tookMs / 1_000).toFixed(1)} s{' '}
        {run.hasTrace && <a href={`./replay.html?run=${run.id}`}>Replay</a>}
      </p>
      <pre>{run.report}</pre>
    </section>
  );
}
