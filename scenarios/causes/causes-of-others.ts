import type { Candidate, Cause, Step } from './cause.ts';
import { STANDING } from './steps.ts';

const withoutMaker = ({ telematics }: Candidate): string | undefined =>
  telematics === 'maker' ? undefined : "has a box and not its maker's telematics";

const maker = (calls: Readonly<Record<string, unknown>>, says: string): Step => ({
  says,
  on: 'simulator',
  method: 'PUT',
  path: '/makers/northwind/behaviour',
  body: { calls, push: true },
});
const MAKER_IS_RIGHT = maker({ manner: 'right' }, "The maker's cloud does as it should.");

const provider = (mode: string, says: string): Step => ({
  says,
  on: 'simulator',
  method: 'PUT',
  path: '/sim-providers/{provider}/behaviour',
  body: { mode },
});

const sleeping = (asleep: boolean, says: string): Step => ({
  says,
  on: 'simulator',
  method: 'POST',
  path: '/maker-vehicles/{vehicle}/sleep',
  body: { asleep },
});

const store = (works: boolean, says: string): Step => ({
  says,
  on: 'simulator',
  method: 'PUT',
  path: '/service/store',
  body: { works },
});

/** What is so with others that the service depends on: SIM providers, makers, its store. */
export const CAUSES_OF_OTHERS: readonly Cause[] = [
  {
    name: 'provider-cannot-detach',
    says: 'The provider of the SIM card has no such command.',
    holds: 'vehicle',
    passes: ['capability'],
    unfit: ({ simProvider }) =>
      simProvider === 'harbour' ? undefined : 'has a SIM card whose provider can detach it',
    bring: [],
    undo: [],
    detail: /^The SIM provider of the vehicle has no network-detach\.$/,
  },
  {
    name: 'provider-fails',
    says: "The SIM provider's interface answers with an error.",
    holds: 'provider',
    bring: [provider('error', 'The SIM provider fails.')],
    undo: [provider('works', 'The SIM provider works again.')],
    detail: /The service failed/,
  },
  {
    name: 'maker-fails',
    says: "The interface of the vehicle's maker answers with an error.",
    holds: 'maker',
    unfit: withoutMaker,
    bring: [...STANDING, maker({ manner: 'error', status: 503 }, "The maker's cloud fails.")],
    undo: [MAKER_IS_RIGHT],
    detail: /^The interface of northwind answered with an error: status 503/,
  },
  {
    name: 'maker-is-silent',
    says: "The interface of the vehicle's maker takes a call and says nothing.",
    holds: 'maker',
    unfit: withoutMaker,
    bring: [
      ...STANDING,
      maker({ manner: 'silence', after_acting: false }, "The maker's cloud falls silent."),
    ],
    undo: [MAKER_IS_RIGHT],
    detail: /did not answer/,
    isSlow: true,
  },
  {
    name: 'car-is-asleep',
    says: 'The vehicle sleeps so deep that its maker cannot reach it.',
    holds: 'maker',
    unfit: withoutMaker,
    bring: [...STANDING, sleeping(true, 'The vehicle falls asleep.')],
    undo: [sleeping(false, 'The vehicle wakes.')],
    detail: /did not connect/,
  },
  {
    name: 'store-fails',
    says: "Every call of the service's store fails.",
    holds: 'service',
    passes: [],
    bring: [store(false, 'The store of the service fails.')],
    undo: [store(true, 'The store works again.')],
    detail: /The service failed\. Give the flow_id to support\./,
  },
];
