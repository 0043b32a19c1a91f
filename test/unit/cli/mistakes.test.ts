import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProgram } from '../../../cli/program.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';

const place = mkdtempSync(join(tmpdir(), 'boxtwin-mistakes-'));
const HEAD = 'name: x\nabout: y.\nfleet: [{ count: 1 }]\nsteps:\n';

beforeAll(() => {
  const files = {
    'good.yaml': `${HEAD}  - { at: 1s, park: {} }\n`,
    'other.yaml': `${HEAD.replace('x', 'z')}  - { at: 1s, park: {} }\n`,
    'word.yaml': `${HEAD}  - { at: 1s, weather: { coverge: none } }\n`,
    'value.yaml': `${HEAD}  - { at: 5, drive: { route: city-lop } }\n`,
    'command.yaml': `${HEAD}  - { at: 1s, command: unlok }\n`,
    'call.yaml': `${HEAD}  - { at: 1s, call: { command: unlok } }\n`,
    'broken.yaml': `${HEAD}  - { at: 1s, park: \n`,
    'can.dbc': 'VERSION ""\nBO_ 100 A: 8 V\n',
    'text.txt': 'hello\n',
    'other.ndjson': '{"a":1}\n{"b":2}\n',
    'README.md': '# A readme\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  for (const name of ['folder', 'empty']) mkdirSync(join(place, name));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** What a refused command line writes, and the exit code of the process. `@` stands for the folder of the files. */
async function refusalOf(line: string): Promise<{ readonly code: number; readonly text: string }> {
  const program = await makeProgram(undefined);
  let text = '';
  for (const command of allCommands(program))
    command.exitOverride().configureOutput({ writeErr: (more) => (text += more), writeOut: () => undefined });
  const words = line.split(' ').filter((word) => word !== '');
  try {
    await program.parseAsync(['node', 'boxtwin', ...words.map((word) => word.replaceAll('@', place))]);
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2, text };
    if (error instanceof CommandError) return { code: error.exitCode, text: error.message };
    throw error;
  }
  return { code: 0, text };
}

function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** The command line, what is wrong with it, and what to do about it. */
const MISTAKES: readonly (readonly [line: string, what: string, remedy: string])[] = [
  ['upp', "unknown command 'upp'", 'Did you mean up?'],
  ['--verbose', "unknown option '--verbose'", '"boxtwin up --verbose"'],
  ['help scenrio', "unknown command 'scenrio'", 'Did you mean scenario?'],
  ['up --vehicle 5', "unknown option '--vehicle'", 'Did you mean --vehicles?'],
  ['up --vehicles five', "'five' is invalid", 'a whole number from 0 to 100000'],
  ['up --vehicles -3', "'-3' is invalid", 'a whole number from 0 to 100000'],
  ['up --vehicles 999999999', "'999999999' is invalid", 'a whole number from 0 to 100000'],
  ['up --port 80809', "'80809' is invalid", 'a whole number from 1 to 65535'],
  ['up --weather stromy', "'stromy' is invalid", 'none, calm, city, rural or storm.'],
  ['up --weather strom', "'strom' is invalid", 'Did you mean storm?'],
  ['up --weather', "'--weather <how>' argument missing", '"rural", in a "storm"'],
  ['up --mqtt broker:1883', "'broker:1883' is invalid", 'begins with mqtt://'],
  ['up --shard 1/2', "unknown option '--shard'", '"boxtwin fleet --shard"'],
  ['up --config @/nope.yaml', '/nope.yaml (--config)', 'Name a file of settings in YAML, or leave it out.'],
  [
    'up --config @/text.txt',
    '/text.txt (--config) cannot be used: it is no map.',
    'one map in YAML, such as "vehicles: 100"',
  ],
  ['up --config @/broken.yaml', 'line 5, column 5: The { that begins here has no }', 'one map in YAML'],
  ['fleet --models @/can.dbc', '/can.dbc is a CAN database', '/can.yaml" makes one.'],
  ['fleet --models @/nope', 'no file or folder @/nope (--models)', '"boxtwin model from-dbc" proposes one'],
  ['fleet --models @/folder', 'There is no model (*.yaml, *.yml, *.json)', '"boxtwin model from-dbc FILE'],
  ['fleet --shard 3/2', "'3/2' is invalid", 'such as 1/2'],
  ['scenario run', "missing required argument 'place'", 'names of stories ("scenario list")'],
  ['scenario run tunel', 'story tunel', 'Did you mean tunnel?'],
  ['scenario run nope.yaml', 'story nope.yaml', '"boxtwin scenario list" shows the stories'],
  [
    'scenario run @/word.yaml',
    'word.yaml:5:26: There is no "coverge" in step 1 (line 5) weather',
    'Did you mean coverage?',
  ],
  [
    'scenario run @/value.yaml',
    'value.yaml:5:11: step 1 (line 5) at should be a span',
    'Write its unit, as in 5s.',
  ],
  [
    'scenario run @/command.yaml',
    'There is no "command" in step 1 (line 5)',
    'It belongs to a call: `call: { command: unlock-central-lock }`',
  ],
  [
    'scenario run @/call.yaml',
    'step 1 (line 5) call.command cannot be "unlok"',
    'Did you mean unlock-central-lock, unlock-and-enable-driving',
  ],
  ['scenario run @/broken.yaml', 'broken.yaml:5:5: The { that begins here has no }', 'Write }'],
  ['scenario run @/good.yaml --report html', "'html' is invalid", 'html=FILE'],
  ['scenario run @/good.yaml --report pdf=x', "'pdf=x' is invalid", 'html=FILE'],
  ['scenario run @/good.yaml --jobs 0', "'0' is invalid", 'a whole number from 1 to 64'],
  ['scenario run @/good.yaml @/other.yaml --trace @/t', '--trace takes one scenario', 'Name one file.'],
  ['scenario rn', "unknown command 'rn'", 'Did you mean run?'],
  ['scenario explore @/folder', 'no scenario (*.yaml) in', '"boxtwin scenario new FILE" writes one'],
  ['console', "missing required argument 'trace'", '--trace TRACE'],
  ['console @/nope', '/nope does not exist', '--trace nope" writes one'],
  ['console @/text.txt', 'text.txt is not a trace', '--trace text.txt" writes one'],
  ['console @/other.ndjson', 'other.ndjson is not a trace', '--trace other.ndjson" writes one'],
  ['wire', "missing required argument 'box'", '"boxtwin vehicles" lists them'],
  ['wire NOPE --data @/empty', '/empty', 'Start one, name its data directory with --data'],
  ['do', "missing required argument 'vehicle'", '"boxtwin vehicles" lists them'],
  ['api fetch /vehicles', "'fetch' is invalid", 'It takes get, post, put, patch or delete.'],
  ['api psot /vehicles', "'psot' is invalid", 'Did you mean post?'],
  ['tail --data @/empty', '/empty', 'Start one, name its data directory with --data'],
  ['tail --type NopeDetected', 'no message "NopeDetected"', 'There are VehicleStateReceived'],
  ['tail --queue q', '--amqp and --queue belong together', 'Without both it subscribes'],
  ['provoke', 'Which problem?', '"boxtwin provoke --list"'],
  ['provoke nonsense', 'no problem "nonsense"', '"boxtwin provoke --list"'],
  ['provoke no-conection', 'no problem "no-conection"', 'Did you mean no-connection'],
  ['provoke no-connection --cause none', 'no cause "none"', 'Its causes are no-coverage'],
  ['provoke no-connection --cause no-covrage', 'no cause "no-covrage"', 'Did you mean no-coverage?'],
  ['provoke no-connection --endpoint lok', 'No endpoint "lok"', 'Did you mean lock-central-lock'],
  ['ledger --data @/nowhere', 'There is no folder @/nowhere', 'with --data'],
  ['ledger --data @/empty', '/empty is not a boxtwin data directory', 'with --data'],
  ['certify', 'A service is certified at its API', 'give --url, --client-id, --client-secret, --mqtt'],
  ['completion tcsh', "'tcsh' is invalid", 'It takes bash, zsh, fish or powershell.'],
  ['completion bsh', "'bsh' is invalid", 'Did you mean bash?'],
  ['model check @/folder', '/folder is a directory', 'Name a model file'],
  ['model check @/can.dbc', '/can.dbc is a CAN database', '/can.yaml" makes one.'],
  ['model from-dbc @/README.md', 'README.md has no messages (BO_)', 'Name a CAN database (*.dbc).'],
  ['examples @/text.txt/below', '/text.txt/below', 'Name another folder.'],
  ['config nope', "'nope' is invalid", 'It takes up, fleet, backend'],
  ['config flet', "'flet' is invalid", 'Did you mean fleet?'],
  ['swarm --running --runs 3', '--runs applies to scenarios in virtual time', 'omit --running'],
  ['swarm --focus cmds', "'cmds' is invalid", 'It takes commands, connectivity'],
  ['swarm --focus comands', "'comands' is invalid", 'Did you mean commands?'],
  ['status --data @/empty', 'runs on @/empty.', 'Start one, or name its data directory with --data.'],
  [
    'status --data @/nowhere',
    'There is no folder @/nowhere',
    'Start one, or name its data directory with --data.',
  ],
  [
    'status --data @/text.txt',
    '@/text.txt is no folder',
    'Start one, or name its data directory with --data.',
  ],
  [
    'env --data @/nowhere',
    'There is no folder @/nowhere',
    'Start one, or name its data directory with --data.',
  ],
  [
    'vehicles --data @/nowhere',
    'There is no folder @/nowhere',
    "or give the simulator's address with --simulator.",
  ],
];

test.each(MISTAKES)(
  'boxtwin %s is refused with code 2, what is wrong, and what to do',
  async (line, what, remedy) => {
    const { code, text } = await refusalOf(line);
    expect(text).toContain(what.replaceAll('@', place));
    expect(text).toContain(remedy);
    expect(code).toBe(2);
  },
);

test('no command at all shows the commands, and an unknown option their help', async () => {
  expect(await refusalOf('')).toEqual({ code: 2, text: expect.stringContaining('start everything') });
  expect((await refusalOf('up --rubbish')).text).toContain('boxtwin up --help');
});
