import { signal } from '@preact/signals';

/** The pages, in the order of their links. */
export const PAGES = ['fleet', 'messages', 'jobs', 'scenarios', 'health'] as const;
export type PageName = (typeof PAGES)[number];

/** The view, as the address bar has it: `#/fleet?vehicle=0787010120a9dc28&find=petrol`. */
export interface Address {
  readonly page: PageName;
  readonly params: Readonly<Record<string, string>>;
}

export const address = signal<Address>(readAddress(location.hash));
/** The last parameters of each page: its filters are restored on return. */
const left = new Map<PageName, Address['params']>();

addEventListener('hashchange', () => take());

function take(): void {
  address.value = readAddress(location.hash);
  left.set(address.value.page, address.value.params);
}
take();

/** Total: an unknown page is the fleet. */
export function readAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const page = PAGES.find((name) => name === path) ?? 'fleet';
  return { page, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The hash of an address; parameters without a text are omitted. */
export function hashOf({ page, params }: Address): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== '')).toString();
  return `#/${page}${query === '' ? '' : `?${query}`}`;
}

/** The target of a page's link: its last filters, and the vehicle that is selected now. */
export function linkTo(page: PageName): string {
  return hashOf({ page, params: { ...left.get(page), vehicle: address.value.params['vehicle'] ?? '' } });
}

/** Changes parameters of the address without a new entry in the history; an empty text removes one. */
export function setParams(changed: Readonly<Record<string, string>>): void {
  const { page, params } = address.value;
  const next = { page, params: { ...params, ...changed } };
  history.replaceState(null, '', hashOf(next));
  take();
}
