import { useEffect, useState } from 'preact/hooks';
import type { AnsweredCall } from '../../stream/console-facts.ts';
import { makeVehicleFilter } from '../fleet/vehicle-filter.ts';
import { ask } from '../state/ask.ts';
import { fleetVersion, vehicles } from '../state/fleet.ts';
import { useFacts } from '../state/use-facts.ts';
import { Trouble } from '../trouble.tsx';
import { JobView } from './job-view.tsx';

const BULK = '/configure-vehicle-telematics-unit-bulk';
/** The jobs that were opened on this page stay for as long as the tab is open. */
const JOBS_KEY = 'boxtwin-jobs';
const EXAMPLE = JSON.stringify({ tracking: { time_interval_in_seconds: 15 } });

/** Bulk jobs: configure all vehicles that fit, and watch how far that is, and why some fail. */
export function JobsPage() {
  const [ids, setIds] = useState<readonly string[]>(
    () => JSON.parse(sessionStorage.getItem(JOBS_KEY) ?? '[]') as readonly string[],
  );
  const [find, setFind] = useState('');
  const [features, setFeatures] = useState(EXAMPLE);
  const [given, setGiven] = useState('');
  const [trouble, setTrouble] = useState('');
  const facts = useFacts();
  void fleetVersion.value;
  const fitting = [...vehicles.values()]
    .filter(makeVehicleFilter(find))
    .flatMap(({ vehicleId }) => (vehicleId === null ? [] : [vehicleId]));
  useEffect(() => sessionStorage.setItem(JOBS_KEY, JSON.stringify(ids)), [ids]);

  const start = async () => {
    const body = {
      items: fitting.map((id) => ({ id })),
      feature_configuration: JSON.parse(features) as unknown,
    };
    const { status, body: answer } = await ask<AnsweredCall>('/console/calls', {
      method: 'POST',
      path: BULK,
      body,
    });
    const { id, detail } = answer as { readonly id?: string; readonly detail?: string };
    if (id === undefined) throw new Error(`${status}: ${detail ?? ''}`);
    setIds((before) => [id, ...before]);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setTrouble('');
    start().catch((error: unknown) => setTrouble(error instanceof Error ? error.message : String(error)));
  };
  if (facts !== undefined && facts.service === null)
    return (
      <main class="jobs">
        <h2>Jobs</h2>
        <Trouble text="There are no jobs: there is no service beside this fleet." />
      </main>
    );
  return (
    <main class="jobs">
      <h2>Jobs</h2>
      <form class="acts" onSubmit={submit}>
        <label>
          <span>vehicles that fit ({fitting.length})</span>
          <input value={find} placeholder="all" onInput={(event) => setFind(event.currentTarget.value)} />
        </label>
        <label>
          <span>feature_configuration (JSON)</span>
          <input
            value={features}
            spellcheck={false}
            onInput={(event) => setFeatures(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={fitting.length === 0}>
          Start
        </button>
        <Trouble text={trouble} />
      </form>
      <form
        class="watch"
        onSubmit={(event) => {
          event.preventDefault();
          if (given !== '') setIds((before) => [given, ...before.filter((one) => one !== given)]);
          setGiven('');
        }}
      >
        <label>
          another job's id <input value={given} onInput={(event) => setGiven(event.currentTarget.value)} />
        </label>{' '}
        <button type="submit">Watch</button>
      </form>
      {ids.map((id) => (
        <JobView key={id} path={`${BULK}/${encodeURIComponent(id)}`} id={id} />
      ))}
    </main>
  );
}
