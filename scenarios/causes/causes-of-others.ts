import type { CandidateVehicle, Cause, CauseStep } from './cause.ts';
import { STANDING } from './steps.ts';

const withoutMaker = ({ telematics }: CandidateVehicle): string | undefined =>
  telematics === 'maker' ? undefined : "has a box and not its maker's telematics";

const maker = (calls: Readonly<Record<string, unknown>>, says: string): CauseStep => ({
  about: says,
  on: 'simulator',
  method: 'PUT',
  path: '/makers/northwind/behaviour',
  body: { calls, push: true },
});
const MAKER_IS_RIGHT = maker({ manner: 'right' }, "The maker's cloud does as it should.");

const provider = (mode: string, says: string): CauseStep => ({
  about: says,
  on: 'simulator',
  method: 'PUT',
  path: '/sim-providers/{provider}/behaviour',
  body: { mode },
});

const sleeping = (asleep: boolean, says: string): CauseStep => ({
  about: says,
  on: 'simulator',
  method: 'POST',
  path: '/maker-vehicles/{vehicle}/sleep',
  body: { asleep },
});

const store = (works: boolean, says: string): CauseStep => ({
  about: says,
  on: 'simulator',
  method: 'PUT',
  path: '/service/store',
  body: { works },
});

/** Causes in the service's dependencies: SIM providers, makers, its store. */
export const CAUSES_OF_OTHERS: readonly Cause[] = [
  {
    name: 'provider-cannot-detach',
    about: 'The provider of the SIM card has no such command.',
    reserves: 'vehicle',
    prerequisites: ['capability'],
    unfitReason: ({ simProvider }) =>
      simProvider === 'harbour' ? undefined : 'has a SIM card whose provider can detach it',
    steps: [],
    undoSteps: [],
    detail: /^The SIM provider of the vehicle does not support network-detach\.$/,
  },
  {
    name: 'provider-fails',
    about: "The SIM provider's interface answers with an error.",
    reserves: 'provider',
    steps: [provider('error', 'The SIM provider fails.')],
    undoSteps: [provider('works', 'The SIM provider works again.')],
    detail: /The SIM provider of the vehicle does not answer/,
  },
  {
    name: 'maker-fails',
    about: "The interface of the vehicle's maker answers with an error.",
    reserves: 'maker',
    unfitReason: withoutMaker,
    steps: [...STANDING, maker({ manner: 'error', status: 503 }, "The maker's cloud fails.")],
    undoSteps: [MAKER_IS_RIGHT],
    detail: /^The interface of northwind answered with an error: status 503/,
  },
  {
    name: 'maker-is-silent',
    about: "The interface of the vehicle's maker takes a call and says nothing.",
    reserves: 'maker',
    unfitReason: withoutMaker,
    steps: [
      ...STANDING,
      maker({ manner: 'silence', after_acting: false }, "The maker's cloud falls silent."),
    ],
    undoSteps: [MAKER_IS_RIGHT],
    detail: /did not answer/,
    isSlow: true,
  },
  {
    name: 'car-is-asleep',
    about: 'The vehicle sleeps so deep that its maker cannot reach it.',
    reserves: 'maker',
    unfitReason: withoutMaker,
    steps: [...STANDING, sleeping(true, 'The vehicle falls asleep.')],
    undoSteps: [sleeping(false, 'The vehicle wakes.')],
    detail: /did not connect/,
  },
  {
    name: 'store-fails',
    about: "Every call of the service's store fails.",
    reserves: 'service',
    prerequisites: [],
    steps: [store(false, 'The store of the service fails.')],
    undoSteps: [store(true, 'The store works again.')],
    detail: /^The database of the service does not answer or refuses.* Give the flow_id to support\.$/,
  },
];
