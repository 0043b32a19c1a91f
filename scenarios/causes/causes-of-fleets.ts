import { BULK_PATH, capabilityOf, SUBSCRIPTIONS_PATH } from '../../contract/operation.ts';
import { valueAt } from '../../world/json.ts';
import type { CandidateVehicle, Cause, CauseStep } from './cause.ts';

const SHARING = '/vehicles/{vehicle}/sharing';

const share = (fleet: string, says: string): CauseStep => ({
  about: says,
  on: 'api',
  method: 'PUT',
  path: SHARING,
  body: { partner_fleet_id: fleet },
});
const SHARED = share('{partner}', 'The vehicle is shared with the partner.');
const NOT_SHARED: CauseStep = { about: 'The sharing is ended.', on: 'api', method: 'DELETE', path: SHARING };

const sharedAlready = ({ sharedWith }: CandidateVehicle): string | undefined =>
  sharedWith === undefined ? undefined : 'is shared already; end that sharing first';
const withoutBox = ({ telematics }: CandidateVehicle): string | undefined =>
  telematics === 'box' ? undefined : 'has no telematics unit';

/** Causes in a vehicle's record and the fleets. */
export const CAUSES_OF_FLEETS: readonly Cause[] = [
  {
    name: 'vehicle-of-another-fleet',
    about: 'The vehicle is of another fleet than the client.',
    reserves: 'vehicle',
    unfitReason: sharedAlready,
    prerequisites: [],
    steps: [],
    undoSteps: [],
    requestChange: () => ({ caller: 'stranger' }),
    detail: /^There is no vehicle with the id/,
  },
  {
    name: 'job-of-another-fleet',
    about: 'The job is of another fleet than the client.',
    reserves: 'nothing',
    steps: [
      {
        about: 'A job is made, for a vehicle that does not exist.',
        on: 'api',
        method: 'POST',
        path: BULK_PATH,
        body: { items: [{ id: 'ZZZZZZZZZZ' }], feature_configuration: { tracking: {} } },
        keep: { name: 'job', from: 'id' },
      },
    ],
    undoSteps: [],
    requestChange: () => ({ caller: 'stranger' }),
    detail: /^There is no job with the id/,
  },
  {
    name: 'subscription-of-another-fleet',
    about: 'The subscription is of another fleet than the client.',
    reserves: 'nothing',
    steps: [
      {
        about: 'The subscriptions of the fleet are listed: `up` keeps one, to all topics.',
        on: 'api',
        method: 'GET',
        path: SUBSCRIPTIONS_PATH,
        until: ({ body }) => valueAt(body, 'items', '0', 'id') !== undefined,
        keep: { name: 'subscription', from: 'items.0.id' },
      },
    ],
    undoSteps: [],
    requestChange: () => ({ caller: 'stranger' }),
    detail: /^There is no message subscription with the id/,
  },
  {
    name: 'discriminator-is-taken',
    about: 'Another fleet has the discriminator of the body.',
    reserves: 'nothing',
    steps: [],
    undoSteps: [],
    // The subscription that `up` keeps uses it.
    requestChange: () => ({
      caller: 'stranger',
      body: { queue_discriminator: 'demo', topics: ['VehicleState_v1'] },
    }),
    detail: /^queue_discriminator: 'demo' is taken by another fleet/,
  },
  {
    name: 'shared-and-asked-by-the-owner',
    about: "The vehicle is shared, and its owner asks for what is the partner's meanwhile.",
    reserves: 'vehicle',
    unfitReason: sharedAlready,
    prerequisites: [],
    steps: [SHARED],
    undoSteps: [NOT_SHARED],
    detail: /Only the partner|is shared with a partner/,
  },
  {
    name: 'shared-and-asked-by-the-partner',
    about: "The vehicle is shared, and the partner asks for what is its owner's.",
    reserves: 'vehicle',
    unfitReason: sharedAlready,
    prerequisites: [],
    steps: [SHARED],
    undoSteps: [NOT_SHARED],
    requestChange: () => ({ caller: 'partner' }),
    detail: /Only the owner/,
  },
  {
    name: 'shared-with-a-third',
    about: 'The vehicle is shared with a third fleet already.',
    reserves: 'vehicle',
    unfitReason: sharedAlready,
    steps: [share('{stranger}', 'The vehicle is shared with a third fleet.')],
    undoSteps: [NOT_SHARED],
    detail: /^The vehicle is shared with fleet/,
  },
  {
    name: 'shared-with-nobody',
    about: 'The vehicle is not shared.',
    reserves: 'vehicle',
    unfitReason: sharedAlready,
    steps: [],
    undoSteps: [],
    detail: /not shared with anybody/,
  },
  {
    name: 'vin-is-taken',
    about: 'Another vehicle of the fleet has the VIN of the body.',
    reserves: 'vehicle',
    steps: [],
    undoSteps: [],
    requestChange: ({ kind }) => ({
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
    about: 'The telematics unit of the body is in another vehicle.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [],
    undoSteps: [],
    requestChange: () => ({ body: { telematics_unit: { id: '{box}' }, vehicle_model: '{model}' } }),
    detail: /is in another vehicle/,
  },
  {
    name: 'setup-is-not-over',
    about: 'The vehicle was just onboarded to a box that cannot get acquainted with it.',
    reserves: 'shelf',
    steps: [
      {
        about: 'The supply of an unassigned box is too low for its setup.',
        on: 'simulator',
        method: 'POST',
        path: '/boxes/{shelf_box}/setup',
        body: { obstacle: 'low-supply' },
      },
      {
        about: 'A vehicle is onboarded to it.',
        on: 'api',
        method: 'POST',
        path: '/vehicles',
        body: { telematics_unit: { id: '{shelf_box}' }, vehicle_model: '{shelf_model}' },
        keep: { name: 'vehicle', from: 'id' },
      },
    ],
    undoSteps: [
      { about: 'The vehicle is offboarded.', on: 'api', method: 'DELETE', path: '/vehicles/{vehicle}' },
      {
        about: 'The supply is as it was.',
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
    about: 'The vehicle has no such command.',
    reserves: 'vehicle',
    prerequisites: [],
    unfitReason: ({ capabilities }, operation) => {
      const capability = capabilityOf(operation) ?? '';
      return capabilities.includes(capability) ? `has the capability ${capability}` : undefined;
    },
    steps: [],
    undoSteps: [],
    detail: /^The vehicle has no capability [A-Z_]+\.$/,
  },
  {
    name: 'vehicle-has-no-box',
    about: "The vehicle has its maker's telematics, which cannot be configured.",
    reserves: 'vehicle',
    prerequisites: [],
    unfitReason: ({ telematics }) => (telematics === 'maker' ? undefined : 'has a telematics unit'),
    steps: [],
    undoSteps: [],
    detail: /has no telematics unit/,
  },
];
