import type { Command } from 'commander';

/** A command in the list of commands: its name, and what it does in a few words. */
type Row = readonly [name: string, summary: string];

/** The commands by what people want to do, in the order of the list; each heading has an example. */
const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  'Run, such as "boxtwin up":': [
    ['up', 'start everything: brokers, service, a driving fleet'],
    ['brokers', 'start the brokers alone'],
    ['backend', 'start the service alone'],
    ['fleet', 'start the boxes alone'],
    ['doctor', 'check what "up" needs'],
    ['config', 'show the settings and where they come from'],
  ],
  'Use, such as "boxtwin do 8B13V coverage none --for 90s":': [
    ['status', 'what runs, and how it is'],
    ['vehicles', 'the vehicles and how each is'],
    ['do', 'drive, open doors, cut coverage: every act and fault'],
    ['api', 'call the API, signed in'],
    ['token', 'print an access token'],
    ['env', 'addresses and credentials as variables'],
    ['open', 'open the console in the browser'],
  ],
  'Watch, such as "boxtwin tail":': [
    ['tail', 'messages as they arrive'],
    ['wire', 'frames of a box, byte by byte'],
    ['replay', 'a recorded run as a page'],
    ['ledger', 'was anything lost, doubled or reordered?'],
  ],
  'Break and prove, such as "boxtwin scenario run tunnel":': [
    ['scenario', 'play, check and explore failures from files'],
    ['swarm', 'draw failures until one finds a bug'],
    ['provoke', 'bring about any problem of the API'],
    ['certify-client', 'have every failure happen to your client'],
    ['certify', 'test another service, or other boxes'],
  ],
  'Data, such as "boxtwin examples":': [
    ['store', 'look after the database'],
    ['model', 'make vehicle models of your own'],
    ['examples', 'write stories and example clients'],
    ['completion', 'completion for your shell'],
  ],
};

/** What completion scripts call, the words that ask for help, and the former name of `replay`. */
export const UNLISTED: readonly string[] = ['help', 'complete', 'console'];

/** Gives each command its group and its words in the list. Throws where a command has no row. */
export function groupCommands(program: Command): void {
  const rows = Object.entries(GROUPS).flatMap(([group, members]) =>
    members.map(([name, summary]) => ({ group, name, summary })),
  );
  const place = new Map(rows.map(({ name }, index) => [name, index]));
  for (const command of program.commands) {
    if (UNLISTED.includes(command.name())) continue;
    const row = rows[place.get(command.name()) ?? -1];
    if (row === undefined) throw new Error(`The command ${command.name()} has no row in command-groups.ts.`);
    command.helpGroup(row.group).summary(row.summary);
  }
  (program.commands as Command[]).sort(
    (one, other) => (place.get(one.name()) ?? 0) - (place.get(other.name()) ?? 0),
  );
}
