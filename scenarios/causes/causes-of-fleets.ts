import type { Candidate, Cause, Step } from './cause.ts';
import { at } from './steps.ts';

const SHARING = '/vehicles/{vehicle}/sharing';

const share = (fleet: string, says: string): Step => ({
  says,
  on: 'api',
  method: 'PUT',
  path: SHARING,
  body: { partner_fleet_id: fleet },
});
const SHARED = share('{partner}', 'The vehicle is shared with the partner.');
const NOT_SHARED: Step = { says: 'The sharing is ended.', on: 'api', method: 'DELETE', path: SHARING };

const sharedAlready = ({ sharedWith }: Candidate): string | undefined =>
  sharedWith === undefined ? undefined : 'is shared already; end that sharing first';
const withoutBox = ({ telematics }: Candidate): string | undefined =>
  telematics === 'box' ? undefined : 'has no telematics unit';

/** What is so between a vehicle, its record and the fleets. */
export const CAUSES_OF_FLEETS: readonly Cause[] = [
  {
    name: 'vehicle-of-another-fleet',
    says: 'The vehicle is of another fleet than the client.',
    holds: 'vehicle',
    unfit: sharedAlready,
    passes: [],
    bring: [],
    undo: [],
    twist: () => ({ caller: 'stranger' }),
    detail: /^There is no vehicle with the id/,
  },
  {
    name: 'job-of-another-fleet',
    says: 'The job is of another fleet than the client.',
    holds: 'nothing',
    bring: [
      {
        says: 'A job is made, for a vehicle that does not exist.',
        on: 'api',
        method: 'POST',
        path: '/configure-vehicle-telematics-unit-bulk',
        body: { items: [{ id: 'ZZZZZZZZZZ' }], feature_configuration: { tracking: {} } },
        keeps: { name: 'job', from: 'id' },
      },
    ],
    undo: [],
    twist: () => ({ caller: 'stranger' }),
    detail: /^There is no job with the id/,
  },
  {
    name: 'subscription-of-another-fleet',
    says: 'The subscription is of another fleet than the client.',
    holds: 'nothing',
    bring: [
      {
        says: 'The subscriptions of the fleet are listed: `up` keeps one, to all topics.',
        on: 'api',
        method: 'GET',
        path: '/message-subscriptions',
        until: ({ body }) => at(body, 'items', '0', 'id') !== undefined,
        keeps: { name: 'subscription', from: 'items.0.id' },
      },
    ],
    undo: [],
    twist: () => ({ caller: 'stranger' }),
    detail: /^There is no message subscription with the id/,
  },
  {
    name: 'discriminator-is-taken',
    says: 'Another fleet has the discriminator of the body.',
    holds: 'nothing',
    bring: [],
    undo: [],
    // The subscription that `up` keeps has it.
    twist: () => ({
      caller: 'stranger',
      body: { queue_discriminator: 'demo', topics: ['VehicleState_v1'] },
    }),
    detail: /^queue_discriminator: 'demo' is taken by another fleet/,
  },
  {
    name: 'shared-and-asked-by-the-owner',
    says: "The vehicle is shared, and its owner asks for what is the partner's meanwhile.",
    holds: 'vehicle',
    unfit: sharedAlready,
    passes: [],
    bring: [SHARED],
    undo: [NOT_SHARED],
    detail: /Only the partner|is shared with a partner/,
  },
  {
    name: 'shared-and-asked-by-the-partner',
    says: "The vehicle is shared, and the partner asks for what is its owner's.",
    holds: 'vehicle',
    unfit: sharedAlready,
    passes: [],
    bring: [SHARED],
    undo: [NOT_SHARED],
    twist: () => ({ caller: 'partner' }),
    detail: /Only the owner/,
  },
  {
    name: 'shared-with-a-third',
    says: 'The vehicle is shared with a third fleet already.',
    holds: 'vehicle',
    unfit: sharedAlready,
    bring: [share('{stranger}', 'The vehicle is shared with a third fleet.')],
    undo: [NOT_SHARED],
    detail: /^The vehicle is shared with fleet/,
  },
  {
    name: 'shared-with-nobody',
    says: 'The vehicle is not shared.',
    holds: 'vehicle',
    unfit: sharedAlready,
    bring: [],
    undo: [],
    detail: /not shared with anybody/,
  },
  {
    name: 'vin-is-taken',
    says: 'Another vehicle of the fleet has the VIN of the body.',
    holds: 'vehicle',
    bring: [],
    undo: [],
    twist: ({ kind }) => ({
      body:
        kind === 'onboard'
          ? {
              telematics_unit: { id: '{spare_box}' },
              vehicle_model: '{spare_model}',
              master_data: { vin: '{vin}' },
            }
          : { master_data: { vin: '{other_vin}' } },
    }),
    detail: /^Another vehicle of the fleet has the VIN/,
  },
  {
    name: 'unit-is-taken',
    says: 'The telematics unit of the body is in another vehicle.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [],
    undo: [],
    twist: () => ({ body: { telematics_unit: { id: '{box}' }, vehicle_model: '{model}' } }),
    detail: /is in another vehicle/,
  },
  {
    name: 'setup-is-not-over',
    says: 'The vehicle was just onboarded to a box that cannot get acquainted with it.',
    holds: 'shelf',
    bring: [
      {
        says: 'The supply of a box on the shelf is too low for its setup.',
        on: 'simulator',
        method: 'POST',
        path: '/boxes/{shelf_box}/setup',
        body: { obstacle: 'low-supply' },
      },
      {
        says: 'A vehicle is onboarded to it.',
        on: 'api',
        method: 'POST',
        path: '/vehicles',
        body: { telematics_unit: { id: '{shelf_box}' }, vehicle_model: '{shelf_model}' },
        keeps: { name: 'vehicle', from: 'id' },
      },
    ],
    undo: [
      { says: 'The vehicle is offboarded.', on: 'api', method: 'DELETE', path: '/vehicles/{vehicle}' },
      {
        says: 'The supply is as it was.',
        on: 'simulator',
        method: 'POST',
        path: '/boxes/{shelf_box}/setup',
        body: { obstacle: 'none' },
      },
    ],
    detail: /setup status is (PENDING|RUNNING|FAILED)|being set up/,
  },
  {
    name: 'vehicle-lacks-it',
    says: 'The vehicle has no such command.',
    holds: 'vehicle',
    passes: [],
    unfit: ({ capabilities }, { capability = '' }) =>
      capabilities.includes(capability) ? `has the capability ${capability}` : undefined,
    bring: [],
    undo: [],
    detail: /^The vehicle has no capability [A-Z_]+\.$/,
  },
  {
    name: 'vehicle-has-no-box',
    says: "The vehicle has its maker's telematics, which cannot be configured.",
    holds: 'vehicle',
    passes: [],
    unfit: ({ telematics }) => (telematics === 'maker' ? undefined : 'has a telematics unit'),
    bring: [],
    undo: [],
    detail: /has no telematics unit/,
  },
];
