import { useCallback, useEffect, useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import { Trouble } from '../trouble.tsx';
import { CompareView } from './compare-view.tsx';
import { type ReadRun, readRun } from './read-run.ts';
import { RunView } from './run-view.tsx';
import { givenTrace, type TraceSource, traceOfFile } from './trace-source.ts';

/** A run from its trace: opened by drag and drop, by the file dialog, or given by the server of the page. */
export function ReplayPage() {
  const [source, setSource] = useState<TraceSource>();
  const [read, setRead] = useState<ReadRun>();
  /** The number of runs that were opened here, as the key of each view: each begins at its own moment. */
  const [opened, setOpened] = useState(0);
  const [progress, setProgress] = useState('');
  const [trouble, setTrouble] = useState('');
  const [other, setOther] = useState<ReadRun>();
  const [isOver, setIsOver] = useState(false);

  const open = useCallback(async (next: TraceSource, isOther = false) => {
    setTrouble('');
    setProgress(`Reading ${next.name}`);
    try {
      const total = next.size === undefined ? '' : ` of ${megabytes(next.size)}`;
      const found = await readRun(await next.open(), (bytes) =>
        setProgress(`Reading ${next.name}: ${megabytes(bytes)}${total}`),
      );
      setOther(isOther ? found : undefined);
      if (isOther) return setProgress('');
      setRead(found);
      setSource(next);
      setOpened((count) => count + 1);
    } catch (error) {
      // The run that was open stays open.
      setTrouble(`${next.name}: ${errorText(error)}`);
    }
    setProgress('');
    return undefined;
  }, []);

  useEffect(() => {
    givenTrace().then(
      (given) => given !== undefined && void open(given),
      () => undefined,
    );
  }, [open]);

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (file !== undefined) void open(traceOfFile(file));
  };
  return (
    <div
      class={isOver ? 'replay dropping' : 'replay'}
      role="application"
      aria-label="Replay of a run"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <header class="top">
        <h1 class="brand">boxtwin replay</h1>
        <TraceInput label="Open trace…" take={(file) => void open(traceOfFile(file))} />
        {read !== undefined && (
          <TraceInput label="Compare with…" take={(file) => void open(traceOfFile(file), true)} />
        )}
        {other !== undefined && (
          <button type="button" onClick={() => setOther(undefined)}>
            Close comparison
          </button>
        )}
        <span class="facts" role="status">
          {progress}
        </span>
      </header>
      <Trouble text={trouble} />
      {read === undefined || source === undefined ? (
        progress === '' && (
          <p class="silence">
            Drop a trace here: <code>boxtwin scenario run FILE --trace run.ndjson</code> writes one.
          </p>
        )
      ) : (
        <>
          {other !== undefined && <CompareView one={read} other={other} />}
          {other === undefined && <RunView key={opened} read={read} source={source} />}
        </>
      )}
    </div>
  );
}

function TraceInput({ label, take }: { readonly label: string; take(file: File): void }) {
  return (
    <label class="open">
      <span>{label}</span>{' '}
      <input
        type="file"
        accept=".ndjson,.trace,application/x-ndjson"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) take(file);
          // The same file can be selected again, after another run has written it.
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
