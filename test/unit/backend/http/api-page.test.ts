import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FEATURES } from '../../../../backend/configuration/features.ts';
import { modelKnowledge } from '../../../../backend/model-knowledge.ts';
import { COMMAND_OPERATIONS } from '../../../../contract/command-operations.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { capabilityName } from '../../../../contract/operation.ts';
import { PERMISSIONS } from '../../../../contract/permissions.ts';
import { SIM_PROVIDERS } from '../../../../contract/sim-providers.ts';
import { COMMANDS } from '../../../../protocol/commands.ts';
import { SETTING_REQUIREMENTS } from '../../../../protocol/hardware.ts';
import { MAKER_MODELS } from '../../../../protocol/models/maker-models.ts';
import { MODELS } from '../../../../protocol/models/models.ts';

const page = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
const models = [...MODELS.values(), ...MAKER_MODELS.values()];

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The rows of the table whose head begins with these cells, cell by cell. */
function tableOf(...head: readonly string[]): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const start = lines.findIndex(
    (line, index) =>
      lines[index + 1]?.startsWith('|-') && head.every((cell, at) => cellsOf(line)[at] === cell),
  );
  if (start < 0) throw new Error(`docs/api.md has no table of ${head.join(', ')}`);
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

/** The vehicle models that a cell names: all, all but some, cars and vans, or one by one. */
function named(cell: string): readonly string[] {
  const names = models.map(({ name }) => name);
  if (cell === 'cars and vans')
    return models.filter(({ vehicleType }) => vehicleType !== 'MOPED').map(({ name }) => name);
  const [, but] = /^all(?: but (.+))?$/.exec(cell) ?? [undefined, cell];
  const listed = (but ?? '').split(', ').filter((name) => name !== '');
  for (const name of listed) expect(names).toContain(name);
  return cell.startsWith('all') ? names.filter((name) => !listed.includes(name)) : listed;
}

describe('docs/api.md matches the tables', () => {
  test('the permission of each scope', () => {
    const rows = tableOf('scope', 'permission of the client').map(([scope, permission]) => ({
      scope,
      permission,
    }));
    const ours = PERMISSIONS.map(({ name, scopes }) => ({ scope: scopes[0], permission: name }));
    expect(rows).toHaveLength(ours.length);
    expect(rows).toEqual(expect.arrayContaining(ours));
  });

  test('the commands of each vehicle model', () => {
    const rows = tableOf('command', 'what it does', 'who has it here');
    const commands = rows.flatMap(([names = '']) => names.split(', '));
    expect(commands.toSorted()).toEqual(
      COMMANDS.filter(({ family }) => family === 'vehicle')
        .map(({ name }) => name)
        .toSorted(),
    );
    for (const [names = '', , who = ''] of rows)
      for (const command of names.split(', ')) {
        const having = models
          .map(({ name }) => name)
          .filter((name) => modelKnowledge.commandCapabilitiesOf(name).includes(capabilityName(command)));
        expect(new Set(named(who)), command).toEqual(new Set(having));
      }
  });

  test('the commands of each SIM provider', () => {
    const rows = tableOf('provider', 'network-detach');
    expect(rows.map(([name, detach, suspension]) => [name, detach === 'yes', suspension === 'yes'])).toEqual(
      SIM_PROVIDERS.map(({ name, commands }) => [
        name,
        commands.includes('network-detach'),
        commands.includes('request-sim-suspension') && commands.includes('request-sim-activation'),
      ]),
    );
  });

  test('who may send each command while a vehicle is shared', () => {
    const rows = new Map(tableOf('', 'owner', 'partner').map(([what = '', ...who]) => [what, who]));
    const refused = '409 shared-with-partner';
    expect(rows.get('resets, switch-mobile-network, network-detach')).toEqual([refused, 'yes']);
    expect(rows.get('SIM activation and suspension, changing a configuration')).toEqual(['yes', refused]);
    expect(rows.get('GET, vehicle commands, system status, workshop mode')).toEqual(['yes', 'yes']);
    for (const { command, guards } of COMMAND_OPERATIONS) {
      const isPartners = command.name.endsWith('-reset') || command.name === 'switch-mobile-network';
      expect(guards.includes('shared-partner-only'), command.name).toBe(isPartners);
      expect(guards.includes('shared-owner-only'), command.name).toBe(false);
    }
  });

  test('the parameters of each feature, with their ranges and defaults', () => {
    let feature = '';
    const rows = tableOf('feature', 'parameter', 'range', 'default').map(
      ([name, parameter, range, standard]) => {
        if (name !== '') feature = name ?? '';
        return [feature, parameter, range, standard];
      },
    );
    expect(rows.toSorted()).toEqual(FEATURES.flatMap(parametersOf).toSorted());
  });

  test('the firmware needed by workshop commands, and the requirements of features on a box', () => {
    const needing = COMMANDS.filter((command) => 'minimumFirmware' in command);
    expect(needing.map(({ name }) => name)).toEqual(['activate-workshop-mode', 'deactivate-workshop-mode']);
    for (const { minimumFirmware } of needing)
      expect(page).toContain(`It needs firmware ${minimumFirmware?.join('.')}.`);
    expect(SETTING_REQUIREMENTS.map(({ settings }) => settings)).toEqual([
      'damage.',
      'smoke.',
      'box.obdAlarm',
    ]);
    expect(page.replaceAll('\n', ' ')).toContain(
      'damage detection needs a box of generation 2, smoke detection the sensor, the OBD alarm a box on the diagnostic port',
    );
  });

  test('the limits', () => {
    const limit = new Map(tableOf('', '').map(([what, text]) => [what, text]));
    const whole = (count: number) => count.toLocaleString('en');
    const [hours, days] = [3_600_000, 24 * 3_600_000];
    expect(limit.get('body of a request')).toContain(
      `${LIMITS.request.bodyBytes / 1024} KiB, of a bulk request ${LIMITS.bulk.bodyBytes / 1024 / 1024} MiB`,
    );
    expect(limit.get('headers')).toBe(
      `${LIMITS.request.headerBytes / 1024} KiB, within ${LIMITS.request.headersMs / 1000} s; the whole request within ${LIMITS.request.wholeMs / 1000} s`,
    );
    expect(limit.get('vehicles of a bulk request')).toContain(
      `${whole(LIMITS.bulk.vehicles)}; jobs in progress of one fleet: ${whole(LIMITS.bulk.fleetJobs)}, with ${whole(LIMITS.bulk.fleetVehicles)} vehicles`,
    );
    expect(limit.get('a page')).toBe(`${whole(LIMITS.page.maximum)} items`);
    expect(limit.get('an answer of a box or a maker')).toBe(
      `${LIMITS.answer.vehicleMs / 1000} s; of a SIM provider ${LIMITS.answer.simProviderMs / 1000} s`,
    );
    expect(limit.get('access token')).toBe(
      `${LIMITS.access.tokenLifeS / 3600} h; refresh token ${LIMITS.access.refreshLifeMs / days} days; authorization code ${LIMITS.access.codeLifeMs / 60_000} min`,
    );
    expect(limit.get('requests')).toContain(`${LIMITS.quota.requests} a minute`);
    expect(limit.get('token requests')).toContain(`${LIMITS.quota.tokenRequests} a minute`);
    expect([limit.get('custom fields, tags'), LIMITS.vehicle.tags]).toEqual([
      `${LIMITS.vehicle.customFields} of each for a vehicle`,
      LIMITS.vehicle.customFields,
    ]);
    expect(limit.get('message subscriptions')).toBe(`${LIMITS.subscription.perFleet} of a fleet`);
    expect(limit.get('bulk job')).toBe(
      `${LIMITS.bulk.jobMs / hours} h, readable for ${LIMITS.bulk.keptMs / days} days`,
    );
    const { firstWaitMs, lastWaitMs, jitterFraction } = LIMITS.bulk;
    expect([lastWaitMs, jitterFraction]).toEqual([hours, 0.1]);
    expect(page.replaceAll('\n', ' ')).toContain(
      `after ${firstWaitMs / 1000} s, then twice as long each time, an hour at most (each up to a tenth less`,
    );
    expect(page).toContain(`\`limit\` is ${LIMITS.page.standard} by default, and 1,000 at most.`);
  });
});

/** The rows of a feature in the table. */
function parametersOf({ name, parameters }: (typeof FEATURES)[number]): readonly (readonly string[])[] {
  const standards = parameters.parse({});
  const walk = (schema: Schema, standard: unknown, path: string): readonly (readonly string[])[] =>
    schema.properties === undefined
      ? [[name, path, rangeOf(schema), String(standard)]]
      : Object.entries(schema.properties).flatMap(([part, one]) =>
          walk(one, (standard as Record<string, unknown>)[part], path === '' ? part : `${path}.${part}`),
        );
  return walk(parameters.toJSONSchema({ io: 'input' }) as Schema, standards, '');
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}

function rangeOf({ minimum, maximum, enum: words }: Schema): string {
  if (words !== undefined) return words.join(', ');
  return minimum === undefined ? 'true, false' : `${minimum} to ${maximum}`;
}
