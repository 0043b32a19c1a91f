import { describe, expect, test } from 'vitest';
import { movedByCommand, movedByControlApi } from '../../../../../deployment/demo/drivers/moved-vehicles.ts';

describe('who has moved a vehicle', () => {
  test.each([
    ['POST', '/vehicles/ABCDE/commands/unlock-central-lock', 200, 'ABCDE'],
    ['POST', '/vehicles/ABCDE/commands/disable-driving', 504, 'ABCDE'],
    ['POST', '/vehicles/ABCDE/commands/disable-driving', 409, undefined],
    ['POST', '/vehicles/ABCDE/commands/disable-driving', 401, undefined],
    ['POST', '/vehicles/ABCDE/commands/request-vehicle-state', 200, undefined],
    ['POST', '/vehicles/ABCDE/commands/draw-attention', 200, undefined],
    ['POST', '/vehicles/ABCDE/box-commands/board-reset', 204, undefined],
    ['GET', '/vehicles/ABCDE', 200, undefined],
    ['PATCH', '/vehicles/ABCDE', 200, undefined],
  ])('by the API: %s %s with %i', (method, path, status, id) => {
    expect(movedByCommand({ method, path, status })).toBe(id);
  });

  test.each([
    ['POST', '/boxes/00112233445566ff/coverage', 200, '00112233445566ff'],
    ['POST', '/boxes/ABCDE/drive', 200, 'ABCDE'],
    ['POST', '/maker-vehicles/CARS0001/park', 200, 'CARS0001'],
    ['POST', '/boxes/ABCDE/drive', 409, undefined],
    ['GET', '/boxes/ABCDE/wire', 200, undefined],
    ['GET', '/boxes/ABCDE', 200, undefined],
    ['POST', '/service/store', 200, undefined],
  ])('by a lever: %s %s with %i', (method, path, status, id) => {
    expect(movedByControlApi({ method, path, status })).toBe(id);
  });
});
