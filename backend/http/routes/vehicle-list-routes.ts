import { createRoute, z } from '@hono/zod-openapi';
import { LIMITS } from '../../../contract/limits.ts';
import { RECORD_OPERATIONS } from '../../../contract/operations.ts';
import { OPERATION_STATUSES } from '../../vehicles/vehicle-fields.ts';
import { documentedProblems, routeOf } from '../openapi/documented.ts';
import { vehicleSchema } from './vehicle-answers.ts';

const LIMIT_RULE = `must be a whole number from 1 to ${LIMITS.page.maximum}`;

const listQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^0*[1-9][0-9]{0,15}$/, LIMIT_RULE)
    .transform((text) => Math.min(Number(text), LIMITS.page.maximum))
    .optional()
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.page.maximum,
      default: LIMITS.page.standard,
      description: `The maximum number of vehicles on a page; more than ${LIMITS.page.maximum} counts as that many.`,
    }),
  page_token: z
    .string()
    .optional()
    .describe('The next_page_token of the previous page; absent: the first page.'),
  q: z
    .string()
    .max(LIMITS.page.searchCharacters)
    .optional()
    .describe('Only vehicles whose id, unit, VIN, plate or custom name contains this.'),
  life_status: z
    .enum(['ONLINE', 'STANDBY', 'OFFLINE'])
    .optional()
    .describe('Only vehicles with this life_status.'),
  operation_status: z
    .enum(OPERATION_STATUSES)
    .optional()
    .describe('Only vehicles with this operation_status.'),
  tag: z
    .string()
    .min(1)
    .max(LIMITS.vehicle.tagCharacters)
    .optional()
    .describe('Only vehicles with this tag.'),
});

/** GET /vehicles as it is documented and validated. */
export const listRoute = createRoute({
  ...routeOf(RECORD_OPERATIONS.list),
  request: { query: listQuery },
  responses: {
    200: {
      description: 'A page. Without next_page_token it is the last one.',
      content: {
        'application/json': {
          schema: z
            .strictObject({
              items: z.array(vehicleSchema).describe('The vehicles of the page, by id.'),
              next_page_token: z
                .string()
                .optional()
                .describe('The page_token of the next page; absent: this is the last page.'),
            })
            .describe('A page of vehicles.')
            .openapi('VehiclePage'),
        },
      },
    },
    ...documentedProblems(RECORD_OPERATIONS.list.problems),
  },
});
