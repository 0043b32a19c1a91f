import { useEffect, useState } from 'preact/hooks';
import { BULK_PATH } from '../../../contract/operation.ts';
import { errorText } from '../../../world/error-text.ts';
import type { AnsweredCall } from '../../stream/actions.ts';
import { Controls } from '../controls.tsx';
import { makeVehicleFilter } from '../fleet/vehicle-filter.ts';
import { ask } from '../state/ask.ts';
import { fleetVersion, vehicles } from '../state/fleet.ts';
import { useFacts } from '../state/use-facts.ts';
import { Trouble } from '../trouble.tsx';
import { JobView } from './job-view.tsx';

/** The jobs that were opened on this page are kept while the tab is open. */
const JOBS_KEY = 'boxtwin-jobs';
const EXAMPLE = JSON.stringify({ tracking: { time_interval_in_seconds: 15 } });

/** Bulk jobs: configure all matching vehicles, and watch the progress, and the reasons of failures. */
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
      path: BULK_PATH,
      body,
    });
    const { id, detail } = answer as { readonly id?: string; readonly detail?: string };
    if (id === undefined) throw new Error(`${status}: ${detail ?? ''}`);
    setIds((before) => [id, ...before]);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setTrouble('');
    start().catch((error: unknown) => setTrouble(errorText(error)));
  };
  if (facts !== undefined && facts.service === null)
    return (
      <main class="jobs">
        <h2>Jobs</h2>
        <Trouble text="This fleet runs without a service, so there are no jobs." />
      </main>
    );
  return (
    <main class="jobs">
      <h2>Jobs</h2>
      <form class="acts" onSubmit={submit}>
        <label>
          <span>Matching vehicles ({fitting.length})</span>
          <input value={find} placeholder="All" onInput={(event) => setFind(event.currentTarget.value)} />
        </label>
        <label>
          <span>Feature configuration (JSON)</span>
          <input
            value={features}
            spellcheck={false}
            onInput={(event) => setFeatures(event.currentTarget.value)}
          />
        </label>
        <Controls of="service">
          <button type="submit" disabled={fitting.length === 0}>
            Start
          </button>
        </Controls>
        <Trouble text={trouble} />
      </form>
      <form
        class="open-job"
        onSubmit={(event) => {
          event.preventDefault();
          if (given !== '') setIds((before) => [given, ...before.filter((one) => one !== given)]);
          setGiven('');
        }}
      >
        <label>
          Open job by ID <input value={given} onInput={(event) => setGiven(event.currentTarget.value)} />
        </label>{' '}
        <button type="submit">Open</button>
      </form>
      {ids.map((id) => (
        <JobView key={id} path={`${BULK_PATH}/${encodeURIComponent(id)}`} id={id} />
      ))}
    </main>
  );
}
