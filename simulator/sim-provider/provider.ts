import type { Context, Hono } from 'hono';
import { sleep, type Time } from '../../world/time/time.ts';
import type { SimProviderName } from '../box-plan.ts';
import { providerLimits } from '../limits.ts';
import type { SimCard } from './cards.ts';

/** Why a provider does not carry out a request. Each provider has its own form for it. */
export type SimProviderFault =
  | 'unauthorized'
  | 'bad-request'
  | 'unknown-card'
  | 'not-offered'
  | 'rate-limited'
  | 'unavailable';

interface FaultRow {
  readonly status: 400 | 401 | 404 | 429 | 503;
  readonly text: string;
}

export const SIM_PROVIDER_FAULTS: Readonly<Record<SimProviderFault, FaultRow>> = {
  unauthorized: { status: 401, text: 'The API key is missing or wrong.' },
  'bad-request': { status: 400, text: 'The request does not have the form that this interface takes.' },
  'unknown-card': { status: 404, text: 'This provider has no card with this ICCID.' },
  'not-offered': { status: 404, text: 'This interface has no such operation.' },
  'rate-limited': { status: 429, text: 'Too many requests. Wait before the next one.' },
  unavailable: { status: 503, text: 'The interface is out of order for the moment.' },
};

/** The cards of one provider, by ICCID. The state of a card is that in its box. */
export interface SimCards {
  find(iccid: string): SimCard | undefined;
}

/** One provider's own interface: its paths, its sign-in, and its form of errors. */
export interface SimProvider {
  readonly name: SimProviderName;
  /** Whether the request carries the key, in this provider's way. */
  isSignedIn(request: Request, apiKey: string): boolean;
  /** A fault in the form of this provider. */
  refuse(c: Context, fault: SimProviderFault): Response;
  /** Adds the operations of the interface; the sign-in is checked before. */
  routes(app: Hono, cards: SimCards): void;
}

/** How a provider's interface behaves for any request. */
export const SIM_PROVIDER_MODES = ['works', 'error', 'silent', 'slow', 'rate-limited'] as const;

export type SimProviderMode = (typeof SIM_PROVIDER_MODES)[number];

/** Waits as long as a provider in this mode does. Returns how it fails; undefined: it answers. */
export async function misbehave(mode: SimProviderMode, time: Time): Promise<SimProviderFault | undefined> {
  switch (mode) {
    case 'works':
      return undefined;
    case 'slow':
      await sleep(time, providerLimits.slowMs);
      return undefined;
    case 'silent':
      await sleep(time, providerLimits.silentMs);
      return 'unavailable';
    case 'error':
      return 'unavailable';
    case 'rate-limited':
      return 'rate-limited';
    default:
      return mode satisfies never;
  }
}
