import { useEffect, useState } from 'preact/hooks';
import { FIGURES, type Health } from '../../stream/health.ts';
import { FaultPanel } from '../faults/fault-panel.tsx';
import { ask } from '../state/ask.ts';
import { lookWhileSeen } from '../state/look-while-seen.ts';
import { Trouble } from '../trouble.tsx';
import { Sparkline } from './sparkline.tsx';

const LOOK_MS = 2_000;
const KEPT_LOOKS = 150;

/** What the service says of itself: its checks, and figures over the last five minutes. */
export function HealthPage() {
  const [looks, setLooks] = useState<readonly Health[]>([]);
  const [trouble, setTrouble] = useState('');
  useEffect(
    () =>
      lookWhileSeen(LOOK_MS, () =>
        ask<Health>('/console/health').then(
          (health) => {
            setTrouble('');
            setLooks((before) => [...before, health].slice(-KEPT_LOOKS));
          },
          ({ message }: Error) => setTrouble(message),
        ),
      ),
    [],
  );
  const latest = looks.at(-1);
  return (
    <main class="health">
      <h2>Health</h2>
      <Trouble text={trouble} />
      {latest?.silence !== undefined && <p class="silence">{latest.silence}</p>}
      <table aria-label="Checks">
        <tbody>
          {latest?.checks.map(({ name, status, reason }) => (
            <tr key={name} class={status === 'ok' ? '' : 'differs'}>
              <th scope="row">{name}</th>
              <td>{status}</td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="figures" aria-label="Figures">
        {FIGURES.map(({ metric, title, kind }) => {
          const values = valuesOf(looks, metric, kind);
          const last = values.at(-1);
          return (
            <li key={metric}>
              <span>{title}</span>
              <strong>
                {last === undefined ? '–' : `${Number(last.toFixed(2))}${kind === 'rate' ? '/s' : ''}`}
              </strong>
              <Sparkline values={values} label={`${title} over the last minutes`} />
            </li>
          );
        })}
      </ul>
      <FaultPanel />
    </main>
  );
}

/** Levels as they are; of counters how much they rose in a second between two looks. */
function valuesOf(looks: readonly Health[], metric: string, kind: 'level' | 'rate'): readonly number[] {
  const told = looks.flatMap(({ atMs, figures }) => {
    const value = figures[metric];
    return value === undefined ? [] : [{ atMs, value }];
  });
  if (kind === 'level') return told.map(({ value }) => value);
  return told.slice(1).map(({ atMs, value }, index) => {
    const before = told[index];
    const passedS = (atMs - (before?.atMs ?? atMs)) / 1_000;
    return passedS <= 0 ? 0 : Math.max(0, value - (before?.value ?? value)) / passedS;
  });
}
