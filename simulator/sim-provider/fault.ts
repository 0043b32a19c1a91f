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
  'unknown-card': { status: 404, text: 'No card of ours has this ICCID.' },
  'not-offered': { status: 404, text: 'This interface has no such operation.' },
  'rate-limited': { status: 429, text: 'Too many requests. Wait before the next one.' },
  unavailable: { status: 503, text: 'The interface is out of order for the moment.' },
};
