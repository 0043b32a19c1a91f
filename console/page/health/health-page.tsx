import { useEffect, useState } from 'preact/hooks';
import { FIGURES, type Health } from '../../stream/health.ts';
import { FaultPanel } from '../faults/fault-panel.tsx';
import { ask } from '../state/ask.ts';
import { isSilent } from '../state/liveness.ts';
import { pollWhileVisible } from '../state/poll-while-visible.ts';
import { Trouble } from '../trouble.tsx';

const LOOK_MS = 2_000;
const KEPT_LOOKS = 150;

/** The status of the service: its checks, and figures over the last five minutes. */
export function HealthPage() {
  const [looks, setLooks] = useState<readonly Health[]>([]);
  const [trouble, setTrouble] = useState('');
  useEffect(
    () =>
      pollWhileVisible(LOOK_MS, () =>
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
  // The latest known checks: without an answer their present state is unknown.
  const checks = looks.findLast((look) => look.checks.length > 0)?.checks ?? [];
  const isKnown = trouble === '' && latest?.silence === undefined && !isSilent('service');
  return (
    <main class="health">
      <h2>Health</h2>
      <Trouble text={trouble} />
      {latest?.silence !== undefined && <p class="silence">{latest.silence}</p>}
      <table aria-label="Checks">
        <tbody>
          {checks.map(({ name, status, reason }) => (
            <tr key={name} class={isKnown && status !== 'ok' ? 'differs' : ''}>
              <th scope="row">{name}</th>
              <td>{isKnown ? status : 'unknown'}</td>
              <td>{isKnown ? reason : `was ${status}`}</td>
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
                {last === undefined || !isKnown
                  ? '–'
                  : `${Number(last.toFixed(2))}${kind === 'rate' ? '/s' : ''}`}
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

/** Levels unchanged; of counters the increase per second between two readings. */
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

const SPARK_WIDTH = 160;
const SPARK_HEIGHT = 32;

/** Values over time as a line, from 0 to the highest of them. */
function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1e-9, ...values);
  const points = values
    .map((value, index) => {
      const x = values.length < 2 ? 0 : (index / (values.length - 1)) * SPARK_WIDTH;
      return `${x.toFixed(1)},${(SPARK_HEIGHT - 2 - (value / most) * (SPARK_HEIGHT - 4)).toFixed(1)}`;
    })
    .join(' ');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      width={SPARK_WIDTH}
      height={SPARK_HEIGHT}
      role="img"
      aria-label={label}
    >
      <polyline points={points} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}
