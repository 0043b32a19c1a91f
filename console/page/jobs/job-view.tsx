import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import type { AnsweredCall } from '../../stream/actions.ts';
import { ask } from '../state/ask.ts';
import { pollWhileVisible } from '../state/poll-while-visible.ts';
import { Trouble } from '../trouble.tsx';

const LOOK_MS = 2_000;
/** Vehicles that are listed. */
const MOST_ITEMS = 200;

/** In the form of the API. */
interface Job {
  readonly status: string;
  readonly expires_at: string;
  readonly counts: {
    readonly total: number;
    readonly pending: number;
    readonly applied: number;
    readonly failed: number;
  };
  readonly items: readonly {
    readonly id: string;
    readonly status: string;
    readonly attempts: number;
    readonly reason?: { readonly title?: string; readonly detail?: string };
  }[];
}

/** One bulk job: its progress, and for each vehicle that is not done the reason. */
export function JobView({ id, path }: { readonly id: string; readonly path: string }) {
  const [job, setJob] = useState<Job>();
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      try {
        const { status, body } = await ask<AnsweredCall>('/console/calls', { method: 'GET', path });
        if (isOver) return false;
        const { detail } = body as { readonly detail?: string };
        setTrouble(status === 200 ? '' : `${status}: ${detail ?? ''}`);
        if (status === 200) setJob(body as Job);
        return status !== 200 || (body as Job).counts.pending > 0;
      } catch (error) {
        setTrouble(errorText(error));
        return true;
      }
    };
    const end = pollWhileVisible(LOOK_MS, look);
    return () => {
      isOver = true;
      end();
    };
  }, [path]);
  const open = job?.items.filter(({ status }) => status !== 'APPLIED') ?? [];
  return (
    <section class="job" aria-label={`Job ${id}`}>
      <h3>{id}</h3>
      <Trouble text={trouble} />
      {job !== undefined && (
        <>
          <p>
            {job.status}: {job.counts.applied} applied, {job.counts.pending} pending, {job.counts.failed}{' '}
            failed of {job.counts.total}
            {job.counts.pending > 0 && `; expires at ${job.expires_at}`}
          </p>
          <progress
            aria-label="Progress"
            max={job.counts.total}
            value={job.counts.total - job.counts.pending}
          />
          <ul>
            {open.slice(0, MOST_ITEMS).map((item) => (
              <li key={item.id} class={item.status === 'FAILED' ? 'bad' : ''}>
                {item.id} <span class="outcome">{item.status}</span> after {item.attempts} attempts{' '}
                {item.reason?.detail ?? item.reason?.title ?? ''}
              </li>
            ))}
          </ul>
          {open.length > MOST_ITEMS && <p class="count">{open.length - MOST_ITEMS} more are not listed</p>}
        </>
      )}
    </section>
  );
}
