import { type Command, Option } from 'commander';

/** The commands below `boxtwin model`, one row each; the implementation is loaded only when it is called. */
const MODEL_COMMANDS: readonly ((model: Command) => void)[] = [fromDbc, check, schema];

/** Adds `boxtwin model` with everything below it. */
export function addModelCommands(program: Command): void {
  const model = program
    .command('model')
    .description('Make vehicle models of your own, which --models of other commands takes.');
  for (const add of MODEL_COMMANDS) add(model);
}

function fromDbc(model: Command): void {
  model
    .command('from-dbc')
    .description(
      'Propose a vehicle model from a CAN database: the property of each signal, and the signals without one.',
    )
    .argument('<file>', 'the DBC file')
    .option(
      '-o, --out <file>',
      'write the model there, and the matches on stdout (default: the model on stdout)',
    )
    .option('--name <name>', 'the name of the model (default: that of the file)')
    .addOption(
      new Option('--bus <n>', "the bus of the box on which the file's frames are")
        .choices(['0', '1'])
        .default('0'),
    )
    .option(
      '--json',
      'one JSON object on stdout: what the file has, the matches with reasons, what has none',
      false,
    )
    .addHelpText(
      'after',
      `
Exit codes:
  0  the model is proposed; unreadable parts of the file are listed on stderr
  2  wrong option, no DBC file, or no signal for a property of a vehicle`,
    )
    .action(async (file: string, options) =>
      (await import('./model-from-dbc.ts')).modelFromDbc(file, options),
    );
}

function check(model: Command): void {
  model
    .command('check')
    .description('Check a model file, and list the properties of its vehicles.')
    .argument('<file>', 'the model file; - is standard input')
    .option('--json', 'one JSON object', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  the model can be used\n  2  it cannot; each mistake is printed with its line',
    )
    .action(async (file: string, options) => (await import('./model-check.ts')).modelCheck(file, options));
}

function schema(model: Command): void {
  model
    .command('schema')
    .description('Print the JSON Schema of model files, by which editors complete and check them.')
    .option('-o, --out <file>', 'write it there instead')
    .action(async (options) => (await import('./model-schema.ts')).modelSchema(options));
}
