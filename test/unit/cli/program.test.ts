import type { Command } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EXAMPLES } from '../../../cli/help/command-examples.ts';
import { UNLISTED } from '../../../cli/help/command-groups.ts';
import { makeProgram } from '../../../cli/program.ts';

/** What a command line comes to: the command and its options, the arguments, and what it prints where it is refused. */
async function read(words: readonly string[]) {
  const program = await makeProgram(undefined);
  const written: string[] = [];
  let called: { readonly command: string; readonly args: unknown; readonly options: unknown } | undefined;
  for (const command of allCommands(program))
    command
      .exitOverride()
      .configureOutput({ writeErr: (text) => written.push(text), writeOut: (text) => written.push(text) })
      .action(() => {
        called = { command: command.name(), args: command.args, options: command.opts() };
      });
  await program.parseAsync(['node', 'boxtwin', ...words]).catch(() => undefined);
  return { called, written: written.join('') };
}

function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

describe('a misspelt option', () => {
  test.each([
    ['that the short help shows', '--vehicls', '--vehicles'],
    ['that only --help-all shows', '--mqtt-prt', '--mqtt-port'],
  ])('%s is recognized', async (_, given, meant) => {
    expect((await read(['up', given, '3'])).written).toContain(`Did you mean ${meant}?`);
  });
});

describe('the help', () => {
  const { columns } = process.stdout;
  afterEach(() => {
    process.stdout.columns = columns;
  });

  test.each([
    { words: ['--help'], terminal: undefined },
    { words: ['--help'], terminal: 300 },
    { words: ['up', '--help'], terminal: undefined },
    { words: ['up', '--help'], terminal: 300 },
  ])('of $words fits one screen on a terminal of $terminal columns', async ({ words, terminal }) => {
    Object.assign(process.stdout, { columns: terminal });
    const lines = (await read(words)).written.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length).toBeLessThanOrEqual(50);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  test.each(Object.keys(EXAMPLES))('of %s ends with its two examples', async (name) => {
    const { written } = await read([...name.split(' '), '--help']);
    const [, ...examples] = written.slice(written.lastIndexOf('Examples:')).trimEnd().split('\n');
    expect(examples.map((line) => line.trim())).toEqual(EXAMPLES[name]);
  });

  test.each(Object.values(EXAMPLES).flat())('has an example that can be called: %s', async (line) => {
    // The command in it, without what is for the shell.
    const [, words = ''] = /boxtwin ((?:'[^']*'|[^'>")])*)/.exec(line) ?? [];
    const { called, written } = await read(words.trim().replaceAll("'", '').split(' '));
    expect(called, written).toBeDefined();
  });
});

describe('the options of all commands', () => {
  const commandsWithOptions = async () =>
    allCommands(await makeProgram(undefined)).filter(({ options }) => options.length > 0);

  test('a short option has one meaning', async () => {
    const meant = new Map<string, Set<string>>();
    for (const { options } of await commandsWithOptions())
      for (const { short, long } of options)
        if (short !== undefined) meant.set(short, (meant.get(short) ?? new Set()).add(long ?? ''));
    expect(Object.fromEntries([...meant].map(([short, long]) => [short, [...long].toSorted()]))).toEqual({
      '-j': ['--jobs'],
      '-n': ['--vehicles'],
      // What a command writes: a report, or what it found.
      '-o': ['--out', '--report'],
      '-p': ['--port'],
      '-q': ['--quiet'],
      '-v': ['--verbose', '--version'],
    });
    for (const command of await commandsWithOptions()) {
      const longs = command.options.map(({ long }) => long);
      expect(
        longs.filter((long) => long === '--out' || long === '--report').length,
        command.name(),
      ).toBeLessThan(2);
    }
  });

  test('--data is what BOXTWIN_DATA says, in each command that has it, and its help says so', async () => {
    const withData = async () =>
      (await commandsWithOptions()).flatMap((command) => {
        const option = command.options.find(({ long }) => long === '--data');
        // What has settings gets its variables when it is called.
        const hasSettings = command.options.some(({ long }) => long === '--config');
        return option === undefined || hasSettings ? [] : [{ name: command.name(), option }];
      });
    expect((await withData()).map(({ name }) => name).toSorted()).toEqual([
      'api',
      'certify',
      'do',
      'env',
      'open',
      'provoke',
      'status',
      'swarm',
      'tail',
      'token',
      'vehicles',
      'wire',
    ]);
    for (const [variable, data] of [
      ['elsewhere', 'elsewhere'],
      ['', '.boxtwin'],
    ]) {
      vi.stubEnv('BOXTWIN_DATA', variable);
      for (const { name, option } of await withData()) {
        expect(option.defaultValue, name).toBe(data);
        expect(option.defaultValueDescription, name).toBe('that of BOXTWIN_DATA, or .boxtwin');
      }
    }
    vi.unstubAllEnvs();
    expect((await read(['status', '--data', ''])).written).toContain('It takes a path.');
  });

  test('each command takes --no-color, and each that shows progress --quiet', async () => {
    const commands = await commandsWithOptions();
    for (const { options } of commands.filter((command) => !UNLISTED.includes(command.name())))
      expect(options.map(({ long }) => long)).toContain('--no-color');
    const quiet = commands.filter(({ options }) => options.some(({ long }) => long === '--quiet'));
    expect(quiet.map((command) => command.name()).toSorted()).toEqual([
      'backend',
      'brokers',
      'certify',
      'certify-client',
      'copy',
      'coverage',
      'explore',
      'fleet',
      'provoke',
      'run',
      'swarm',
      'up',
    ]);
  });
});

const FORMER_SPELLINGS: readonly (readonly [command: string, former: string, now: string])[] = [
  ['fleet', '--api http://api.test', '--url http://api.test'],
  ['certify', '--api http://api.test', '--url http://api.test'],
  ['certify', '--client one', '--client-id one'],
  ['certify', '--secret two', '--client-secret two'],
  ['certify', '--junit a.xml', '--report junit=a.xml'],
  ['certify', '--points', '--list'],
  ['certify-client', '--points', '--list'],
  ['certify-client', '--junit a.xml', '--report junit=a.xml'],
  ['certify-client', '--junit a.xml --report json=b.json', '-o junit=a.xml -o json=b.json'],
  ['scenario coverage', '--html a.html', '--report html=a.html'],
  ['tail', '--amqp-ca ca.pem', '--ca ca.pem'],
  ['up', '--base-url http://api.test', '--public-url http://api.test'],
];

describe('a former spelling', () => {
  test.each(FORMER_SPELLINGS)('%s %s is %s', async (command, former, now) => {
    const [one, other] = [
      await read([...command.split(' '), ...former.split(' ')]),
      await read([...command.split(' '), ...now.split(' ')]),
    ];
    expect(one.called).toBeDefined();
    expect(one).toEqual(other);
  });

  test.each(FORMER_SPELLINGS)('%s %s is not in the help', async (command, former) => {
    const [option = ''] = former.split(' ');
    const { written } = await read([...command.split(' '), '--help-all']);
    const { written: brief } = await read([...command.split(' '), '--help']);
    expect(brief).toContain('Options:');
    expect(`${brief}${written}`).not.toMatch(new RegExp(`^ .*${option} `, 'm'));
  });
});
