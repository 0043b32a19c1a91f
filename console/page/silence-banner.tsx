import { useEffect, useState } from 'preact/hooks';
import { ageText } from './age-text.ts';
import { liveness } from './state/liveness.ts';
import { type Silence, type Source, silencesAt } from './state/silence.ts';

const TICK_MS = 1_000;

/** The outdated data of the page, and the actions that are disabled meanwhile. */
const MEANS: Readonly<Record<Source, readonly [shown: string, off: string]>> = {
  console: ['Everything that this page shows', 'Actions are disabled'],
  simulator: ['What this page shows of vehicles and boxes', 'Actions, faults and dead zones are disabled'],
  service: ['What this page shows of the service', 'Commands and jobs are disabled'],
};

/** Shows which sources do not answer, and the age of their data on the page; nothing where all answer. */
export function SilenceBanner() {
  const [, setTicks] = useState(0);
  const silences = silencesAt(liveness.value, performance.now());
  const isShown = silences.length > 0;
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setInterval(() => setTicks((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isShown]);
  return (
    <section class="silences" aria-label="What does not answer" aria-live="polite">
      {silences.map((silence) => (
        <SilenceLine key={silence.source} silence={silence} />
      ))}
    </section>
  );
}

function SilenceLine({ silence: { source, why, ageMs } }: { readonly silence: Silence }) {
  const [shown, off] = MEANS[source];
  return (
    <p class="silent">
      <span class="pulse" aria-hidden="true" />
      <strong>{why}</strong>
      <span>
        {ageMs === undefined ? (
          `${shown} is missing.`
        ) : (
          <>
            {shown} is <b role="timer">{ageText(ageMs)}</b> old.
          </>
        )}{' '}
        {off} until it answers again; the page then continues by itself.
      </span>
    </p>
  );
}
