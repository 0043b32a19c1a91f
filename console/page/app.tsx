import { FleetMap } from './fleet/fleet-map.tsx';
import { VehicleList } from './fleet/vehicle-list.tsx';
import { HealthPage } from './health/health-page.tsx';
import { JobsPage } from './jobs/jobs-page.tsx';
import { MessagesPage } from './messages/messages-page.tsx';
import { ScenariosPage } from './scenarios/scenarios-page.tsx';
import { SilenceBanner } from './silence-banner.tsx';
import { address, linkTo, PAGES, type PageName } from './state/address.ts';
import { fleetSize, stream } from './state/fleet.ts';
import { isSilent } from './state/liveness.ts';
import type { Source } from './state/silence.ts';
import { useFacts } from './state/use-facts.ts';
import { VehiclePanel } from './vehicle/vehicle-panel.tsx';

const TITLES: Readonly<Record<PageName, string>> = {
  fleet: 'Fleet',
  messages: 'Messages',
  jobs: 'Jobs',
  scenarios: 'Scenarios',
  health: 'Health',
};

/** The source of most data of each page: without that it is dimmed. */
const SOURCE_OF_PAGE: Readonly<Record<PageName, Source>> = {
  fleet: 'simulator',
  messages: 'service',
  jobs: 'service',
  scenarios: 'console',
  health: 'service',
};

/** The header with the links of the pages, and the page of the address. */
export function App() {
  const facts = useFacts();
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
          {facts === undefined ? '' : `Seed ${facts.seed} · `}
          {fleetSize.value} boxes · {STREAM_TEXTS[stream.value]}
        </span>
      </header>
      <SilenceBanner />
      <div class={isSilent(SOURCE_OF_PAGE[page]) ? 'page stale' : 'page'}>
        {page === 'fleet' && <FleetPage />}
        {page === 'messages' && <MessagesPage />}
        {page === 'jobs' && <JobsPage />}
        {page === 'scenarios' && <ScenariosPage />}
        {page === 'health' && <HealthPage />}
      </div>
    </>
  );
}

const STREAM_TEXTS = { opening: 'Connecting', open: 'Live', lost: 'Connection lost, retrying' } as const;

/** List, map, and the selected vehicle next to them. */
function FleetPage() {
  const boxId = address.value.params['vehicle'] ?? '';
  return (
    <main class={boxId === '' ? 'fleet' : 'fleet with-vehicle'}>
      <VehicleList chosen={boxId} />
      <FleetMap chosen={boxId} />
      {boxId !== '' && <VehiclePanel key={boxId} boxId={boxId} />}
    </main>
  );
}
