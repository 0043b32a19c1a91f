import { useEffect, useState } from 'preact/hooks';
import type { ConsoleFacts } from '../stream/console-facts.ts';
import { FleetPage } from './fleet/fleet-page.tsx';
import { HealthPage } from './health/health-page.tsx';
import { JobsPage } from './jobs/jobs-page.tsx';
import { MessagesPage } from './messages/messages-page.tsx';
import { ScenariosPage } from './scenarios/scenarios-page.tsx';
import { address, linkTo, PAGES, type PageName } from './state/address.ts';
import { consoleFacts } from './state/facts.ts';
import { fleetSize, stream } from './state/fleet.ts';

const TITLES: Readonly<Record<PageName, string>> = {
  fleet: 'Fleet',
  messages: 'Messages',
  jobs: 'Jobs',
  scenarios: 'Scenarios',
  health: 'Health',
};

/** The header with the links of the pages, and the page of the address. */
export function App() {
  const [facts, setFacts] = useState<ConsoleFacts>();
  useEffect(() => {
    consoleFacts().then(setFacts, () => undefined);
  }, []);
  const { page } = address.value;
  return (
    <>
      <header class="top">
        <h1 class="brand">boxtwin</h1>
        <nav aria-label="Pages">
          {PAGES.map((name) => (
            <a key={name} href={linkTo(name)} aria-current={name === page ? 'page' : undefined}>
              {TITLES[name]}
            </a>
          ))}
        </nav>
        <span class="facts" role="status">
          {facts === undefined ? '' : `seed ${facts.seed} · `}
          {fleetSize.value} boxes · {STREAM_TEXTS[stream.value]}
        </span>
      </header>
      {page === 'fleet' && <FleetPage />}
      {page === 'messages' && <MessagesPage />}
      {page === 'jobs' && <JobsPage />}
      {page === 'scenarios' && <ScenariosPage />}
      {page === 'health' && <HealthPage />}
    </>
  );
}

const STREAM_TEXTS = { opening: 'connecting', open: 'live', lost: 'connection lost, trying again' } as const;
