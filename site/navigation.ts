import { HOME } from './links.ts';

/** A heading of the navigation, and what stands below it. */
export interface NavigationGroup {
  readonly text: string;
  /** Paths from the root, in their order; a folder, with a slash at its end, is all of its pages by their names. */
  readonly pages: readonly string[];
  /** Whether its pages are folded away until somebody opens them. */
  readonly isFolded?: true;
}

/** Every page of the site, once. A new page gets its row here; its title is its own heading. */
export const NAVIGATION: readonly NavigationGroup[] = [
  { text: 'Begin', pages: ['README.md'] },
  {
    text: 'Tutorials',
    pages: [
      'docs/tutorials/first-failing-scenario.md',
      'docs/tutorials/testing-a-client.md',
      'docs/tutorials/a-thousand-vehicles.md',
      'docs/tutorials/several-machines.md',
    ],
  },
  {
    text: 'Developing a client',
    pages: [
      'docs/api.md',
      'docs/messages.md',
      'docs/clients.md',
      'docs/testing.md',
      'docs/examples.md',
      'docs/certify-client.md',
      'docs/certify.md',
      'docs/guarantees.md',
    ],
  },
  {
    text: 'Failures as files',
    pages: ['docs/scenarios.md', 'docs/running-scenarios.md', 'docs/continuous-integration.md'],
  },
  {
    text: 'Running it',
    pages: [
      'docs/operating.md',
      'docs/console.md',
      'docs/parts.md',
      'docs/containers.md',
      'docs/scaling.md',
      'docs/mqtt-brokers.md',
      'docs/ledger.md',
      'docs/performance.md',
    ],
  },
  {
    text: 'Vehicles and boxes',
    pages: [
      'docs/vehicle-models.md',
      'docs/models-from-dbc.md',
      'docs/capabilities.md',
      'docs/routes.md',
      'docs/recorded-drives.md',
      'docs/firmware.md',
      'docs/bluetooth.md',
      'docs/wire.md',
      'docs/wire-layouts.md',
    ],
  },
  {
    text: 'How it is built',
    pages: [
      'docs/architecture.md',
      'docs/store.md',
      'docs/mutation-testing.md',
      'docs/glossary.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  },
  { text: 'Decision records', pages: ['docs/decisions/'], isFolded: true },
];

/** What the site shows at its side: of groups their items, of items where they lead. */
export interface SidebarGroup {
  readonly text: string;
  readonly collapsed?: true;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/**
 * The navigation of the pages that are there: `texts` has the text of each by its path. Rows whose page is not there,
 * and groups without any, are left out.
 */
export function sidebarOf(
  groups: readonly NavigationGroup[],
  texts: ReadonlyMap<string, string>,
): readonly SidebarGroup[] {
  return groups.flatMap(({ text, pages, isFolded }) => {
    const items = pages
      .flatMap((row) => pagesOfRow(row, [...texts.keys()]))
      .flatMap((path) => {
        const page = texts.get(path);
        return page === undefined ? [] : [{ text: titleOf(page) ?? path, link: linkTo(path) }];
      });
    if (items.length === 0) return [];
    return [{ text, items, ...(isFolded === true ? { collapsed: true as const } : {}) }];
  });
}

/** Which of these paths a row of the navigation means, sorted. */
export function pagesOfRow(row: string, paths: readonly string[]): readonly string[] {
  return row.endsWith('/') ? paths.filter((path) => path.startsWith(row)).toSorted() : [row];
}

/** The first heading of a page, without marks; undefined where it has none. */
export function titleOf(page: string): string | undefined {
  return /^# (.+)$/m.exec(page)?.[1]?.replaceAll(/[`*]/g, '').trim();
}

function linkTo(path: string): string {
  return path === HOME ? '/' : `/${path.replace(/\.md$/, '')}`;
}
