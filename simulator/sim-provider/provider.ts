import type { Context, Hono } from 'hono';
import type { FleetBox } from '../fleet.ts';
import type { Fault } from './fault.ts';
import type { SimProviderName } from './names.ts';

/** The cards of one provider, by ICCID; a card is as its box has it. */
export interface Cards {
  find(iccid: string): FleetBox | undefined;
}

/** One provider's own interface: its style of paths, of signing in, and of saying what went wrong. */
export interface Provider {
  readonly name: SimProviderName;
  /** Whether the request carries the key, in the way of this provider. */
  isSignedIn(request: Request, apiKey: string): boolean;
  /** A fault in the form of this provider. */
  refuse(c: Context, fault: Fault): Response;
  /** Adds what the interface can do; signing in is checked before. */
  routes(app: Hono, cards: Cards): void;
}
