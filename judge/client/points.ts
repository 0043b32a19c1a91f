import { CONNECTION_POINTS } from './connection-points.ts';
import { MESSAGE_POINTS } from './message-points.ts';
import type { Point } from './point.ts';
import { REQUEST_POINTS } from './request-points.ts';
import { TOKEN_POINTS } from './token-points.ts';

const ROWS = [...TOKEN_POINTS, ...REQUEST_POINTS, ...MESSAGE_POINTS, ...CONNECTION_POINTS] as const;

export type PointName = (typeof ROWS)[number]['name'];

/** All points of a client. A new point is a row of one of the four lists, and of an episode. */
export const POINTS: readonly (Point & { readonly name: PointName })[] = ROWS;

export const POINT_NAMES: readonly PointName[] = ROWS.map(({ name }) => name);
