import type { Context, Hono } from 'hono';
import type { SimCard } from './cards.ts';
import type { SimProviderFault } from './fault.ts';
import type { SimProviderName } from './names.ts';

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
