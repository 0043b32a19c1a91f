import { execFileSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { showConsole } from '../../../../cli/commands/console.ts';
import { ledger } from '../../../../cli/commands/ledger.ts';
import { modelCheck } from '../../../../cli/commands/model/model-check.ts';
import { modelFromDbc } from '../../../../cli/commands/model/model-from-dbc.ts';
import { requestBody } from '../../../../cli/commands/running/api.ts';
import { readScenarioFiles } from '../../../../cli/commands/scenario/scenario-files.ts';
import { readTraceFile } from '../../../../cli/commands/scenario/scenario-from-trace.ts';
import { storeCheck } from '../../../../cli/commands/store/store-check.ts';
import { storeCopy } from '../../../../cli/commands/store/store-copy.ts';
import { resolveSettings } from '../../../../cli/settings/resolve.ts';
import { SETTINGS } from '../../../../cli/settings/settings.ts';
import { readSettingsFile } from '../../../../cli/settings/settings-file.ts';
import { readMapGround } from '../../../../deployment/console/map-ground.ts';
import { readRouteFile } from '../../../../deployment/demo/demo-plans.ts';
import { readAuthorityFile } from '../../../../deployment/input/authority-file.ts';
import { readCredentials } from '../../../../deployment/input/credentials-file.ts';
import { readDriveFiles } from '../../../../deployment/input/drive-files.ts';
import { allOf, readInputWithin, streamOfFile } from '../../../../deployment/input/input-file.ts';
import { INPUT_FILES, type InputFileRow, type InputKind } from '../../../../deployment/input/input-kinds.ts';
import { loadModels } from '../../../../deployment/models/model-directory.ts';

const root = mkdtempSync(join(tmpdir(), 'boxtwin-input-'));
const at = (name: string): string => join(root, name);
mkdirSync(at('stories/below'), { recursive: true });
mkdirSync(at('folder'));
execFileSync('mkfifo', [at('pipe'), at('stories/pipe')]);
writeFileSync(at('drive.csv'), 'time,lat,lon\n0,51,11\n9,51.001,11\n');
writeFileSync(at('stories/below/inside'), 'inside');
writeFileSync(at('outside'), 'outside');
symlinkSync(at('outside'), at('stories/link'));
symlinkSync(root, at('stories/up'));
symlinkSync('/dev/zero', at('stories/zero'));
symlinkSync('below/inside', at('stories/near'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Each reader of a kind, with the file that a user names; a scenario is a file that names it. */
const READERS: Readonly<Record<InputKind, readonly ((path: string) => unknown)[]>> = {
  settings: [
    (path) => {
      const file = readSettingsFile(path, '--config');
      throw new Error(resolveSettings('up', { options: {}, variables: {}, file }).faults.join('\n'));
    },
  ],
  credentials: [readCredentials],
  authority: [(path) => readAuthorityFile(path, '--mqtt-ca')],
  route: [readRouteFile],
  drive: [(path) => readDriveFiles({ files: [path], columnsFile: undefined })],
  link: [
    (path) =>
      readScenarioFiles([scenarioWith(`steps: [{ weather: { trace: { file: ${path} } }, for: 1m }]`)]),
  ],
  driveColumns: [(path) => readDriveFiles({ files: [at('drive.csv')], columnsFile: path })],
  map: [readMapGround],
  model: [loadModels, (path) => modelCheck(path, { json: false })],
  dbc: [(path) => modelFromDbc(path, { bus: '0', json: false, name: 'any' })],
  scenario: [(path) => readScenarioFiles([path])],
  trace: [readTraceFile, (path) => showConsole(path, { name: 'replay', json: false })],
  messages: [
    (path) => ledger({ data: at('none'), messages: path, lateAfter: 60, json: false, force: false }),
  ],
  body: [(path) => requestBody(`@${path}`)],
  store: [
    (path) => storeCheck({ store: `sqlite:${path}`, json: true }),
    (path) =>
      storeCopy({ from: `sqlite:${path}`, to: 'postgres://127.0.0.1:1/none', json: true, quiet: true }),
  ],
};

function scenarioWith(rest: string): string {
  const path = at('stories/story.yaml');
  const fleet = rest.startsWith('fleet') ? '' : 'fleet: [{ count: 1 }]\n';
  writeFileSync(path, `name: story\nabout: A story.\n${fleet}${rest}\n`);
  return path;
}

/** What is said against a file; undefined: it is read. */
async function refusalOf(read: (path: string) => unknown, path: string): Promise<string | undefined> {
  try {
    await read(path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What other files hold that are no input of ours: accounts, variables, keys, settings. */
const FOREIGN = [
  'secretword:x:0:0:secretword:/root:/bin/bash\nother:x:1:1::/:/bin/sh\n',
  'SECRETWORD=1\nDB_PASSWORD=secretword\n',
  '[default]\naws_secret_access_key = secretword\nregion: [a\n',
  'machine: example\npassword: secretword\n- broken\n',
  '{"password": "secretword", }\n',
  '{"password": "secretword"}\n',
  '-----BEGIN PRIVATE KEY-----\nsecretword\n-----END PRIVATE KEY-----\n',
];

describe.each(Object.entries(INPUT_FILES))('of the kind %s', (name, { mostBytes }) => {
  const kind = name as InputKind;
  const readers = READERS[kind];

  test('only regular files are read, of a bounded size, and none of another kind is quoted', async () => {
    for (const read of readers) {
      for (const [path, words] of [
        [at('missing'), /does not exist|There is no file|is outside/],
        [at('folder'), /a directory, not a regular file|There is no (model|scenario)|is outside/],
        [at('pipe'), /a pipe, not a regular file|is outside/],
        ['/dev/zero', /a device, not a regular file|is outside/],
      ] as const)
        expect(await refusalOf(read, path)).toMatch(words);
      if (Number.isFinite(mostBytes)) {
        writeFileSync(at('large'), '');
        truncateSync(at('large'), mostBytes + 1);
        expect(await refusalOf(read, at('large'))).toMatch(/has \d+ bytes; at most|is outside/);
      }
      // A body is what the user sends, whatever it is.
      for (const content of kind === 'body' ? [] : FOREIGN) {
        const path = at(kind === 'link' ? 'stories/foreign' : 'foreign');
        writeFileSync(path, content);
        const refusal = await refusalOf(read, kind === 'link' ? 'foreign' : path);
        expect(refusal).toBeDefined();
        expect(refusal).not.toMatch(/secretword/i);
      }
    }
  });
});

const fromFilesAlone = Object.entries(INPUT_FILES).filter(
  ([, row]: readonly [string, InputFileRow]) => row.takesStandardInput !== true,
);

test.each(fromFilesAlone)('of the kind %s, - is a file of that name and not standard input', async (name) => {
  for (const read of READERS[name as InputKind])
    expect(await refusalOf(read, name === 'link' ? '"-"' : '-')).toMatch(/- \(?.*does not exist/);
});

test('every option and argument that takes a file is in the table', () => {
  const written = ['--out', '--write-credentials', '--trace', '--ready-file'];
  const options = globSync('cli/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/'(--[a-z-]+) <(?:file|trace)>'/g)].map(([, option]) => option),
  );
  const settings = Object.entries(SETTINGS)
    .filter(([, { placeholder }]) => /\bfile\b/.test(placeholder))
    .map(([name]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  const named = Object.values(INPUT_FILES).flatMap((row): readonly string[] => row.named);
  expect(options.length).toBeGreaterThan(5);
  for (const option of [...options, ...settings]) expect([...named, ...written], option).toContain(option);
});

describe('a file that a scenario names', () => {
  const within = (name: string) => readInputWithin(at('stories'), name, 100);
  const said = (name: string) => {
    const reading = within(name);
    return 'fault' in reading ? reading.fault : Buffer.from(reading.bytes).toString();
  };

  test('is read in the folder of the scenario, below it, and over a link that stays there', () => {
    expect(said('below/inside')).toBe('inside');
    expect(said('./below/../below/inside')).toBe('inside');
    expect(said('near')).toBe('inside');
  });

  test.each([
    ['../outside'],
    ['../missing'],
    ['../../../../../../etc/passwd'],
    ['/etc/passwd'],
    ['/dev/zero'],
    ['link'],
    ['up/outside'],
    ['zero'],
  ])('is refused as %s, in words that do not say whether there is one', (name) => {
    expect(said(name)).toBe('is outside the folder of the file that names it');
  });

  test('is refused where it is a pipe, a directory or too large', () => {
    expect(said('pipe')).toBe('is a pipe, not a regular file');
    expect(said('below')).toBe('is a directory, not a regular file');
    writeFileSync(at('stories/large'), 'x'.repeat(101));
    expect(said('large')).toBe('has 101 bytes; at most 100 are read');
  });

  test('is never one outside, whatever way leads to it', () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      'below',
      'up',
      'stories',
      'link',
      'near',
      'inside',
      'outside',
      '',
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 7 }), (segments) => {
        const reading = within(segments.join('/'));
        if ('bytes' in reading) expect(Buffer.from(reading.bytes).toString()).toBe('inside');
      }),
    );
  });

  test.each([
    ['fleet: [{ recorded_drive: ../../../../etc/passwd }]\nsteps: [{ at: 1s, park: }]'],
    ['fleet: [{ recorded_drive: /dev/zero }]\nsteps: [{ at: 1s, park: }]'],
    ['steps: [{ weather: { trace: { file: /etc/passwd } }, for: 1m }]'],
    [
      'vary: { "steps[0].weather.trace": [{ file: up/outside }, { link: train }] }\nsteps: [{ weather: { trace: { link: train } }, for: 1m }]',
    ],
  ])('is refused in each place that names one: %s', async (rest) => {
    expect(await refusalOf((path) => readScenarioFiles([path]), scenarioWith(rest))).toMatch(
      /story\.yaml:\d+:\d+: \S+ is outside the folder of the file that names it\. Name a file/,
    );
  });
});

test('a file whose size is not known beforehand is read up to the bound and not further', () => {
  // Files below /proc have the size 0.
  const status = readInputWithin('/proc/self', 'status', 1_000_000);
  expect('bytes' in status && status.bytes.length).toBeGreaterThan(100);
  expect(readInputWithin('/proc/self', 'status', 100)).toEqual({
    fault: 'has more than 100 bytes; no more are read',
  });
});

test('an input is read whole, up to the bound, in few buffers however few bytes come at a time', () => {
  fc.assert(
    fc.property(
      fc.nat(200_000),
      fc.nat(200_000),
      fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 20 }),
      fc.nat(100_000),
      (length, mostBytes, counts, size) => {
        const content = new Uint8Array(length).map((_, index) => index % 251);
        const buffers = new Set<ArrayBufferLike>();
        let from = 0;
        let reads = 0;
        const reading = allOf(
          (bytes, at) => {
            buffers.add(bytes.buffer);
            const asked = counts[reads % counts.length] ?? 1;
            reads += 1;
            const piece = content.subarray(from, from + Math.min(asked, bytes.length - at));
            bytes.set(piece, at);
            from += piece.length;
            return piece.length;
          },
          size,
          mostBytes,
        );
        if (length > mostBytes)
          expect(reading).toEqual({ fault: `has more than ${mostBytes} bytes; no more are read` });
        else expect('bytes' in reading && Buffer.compare(reading.bytes, content)).toBe(0);
        expect(buffers.size).toBeLessThanOrEqual(Math.ceil(length / 65_536) + 1);
      },
    ),
  );
});

test('- is a file of that name for the console, which reads a trace more than once', async () => {
  expect(await refusalOf((path) => showConsole(path, { name: 'replay', json: false }), '-')).toBe(
    'The trace - does not exist. "boxtwin scenario run FILE --trace -" writes one.',
  );
});

test('a file that is read in parts is refused where a pipe is in its place later', async () => {
  expect(await new Response(await streamOfFile(at('stories/below/inside'))).text()).toBe('inside');
  await expect(streamOfFile(at('pipe'))).rejects.toThrow(/pipe is a pipe now, not a regular file/);
});
