import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROPERTIES } from '../../../../../contract/properties.ts';
import { SENSOR_ERRORS, type SensorError } from '../../../../../simulator/sensor-errors.ts';

const rows: readonly (readonly [string, SensorError])[] = Object.entries(SENSOR_ERRORS);
const page = readFileSync(new URL('../../../../../docs/routes.md', import.meta.url), 'utf8');

test.each(rows)(
  'the error of %s is about a property, has a unit and a source, and stands on the page',
  (name, error) => {
    expect(Object.keys(PROPERTIES)).toContain(name);
    expect(error.most).toBeGreaterThanOrEqual(0);
    expect(error.source).not.toBe('');
    if (error.most === 0) expect(page).toContain(`\`${name}\``);
    else
      expect(page).toContain(
        `| \`${name}\` | ${error.most} ${error.unit.split(' ')[0]?.replace('steps', 'step')} |`,
      );
  },
);
