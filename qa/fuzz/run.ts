import { scriptOptions } from '../../test/support/run/script-options.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { TARGETS } from './targets.ts';

const PROGRESS_INPUTS = 100_000;
const names = Object.keys(TARGETS);
/** What the script takes, and does. */
const USAGE = {
  name: 'fuzz',
  line: '[targets] [--inputs 1000000] [--seed 1]',
  does: `Feeds whatever reads what others have written. Prints a line for each target; exit code 1: an input was taken or
answered in a way that it ought not to be, and is printed.`,
};
const { values, positionals } = scriptOptions(USAGE, {
  inputs: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '1' },
});
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) refuse(`There is no target ${unknown}; there are ${names.join(', ')}.`);
const [inputs, seed] = (['inputs', 'seed'] as const).map((name) => {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < (name === 'seed' ? 0 : 1))
    refuse(`--${name} is ${JSON.stringify(values[name])}: give a whole number.`);
  return number;
}) as [number, number];

for (const [name, open] of Object.entries(TARGETS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const random = seededRandom(seed).stream(`fuzz/${name}`);
  const target = await open();
  const beganMs = performance.now();
  const { together = 1 } = target;
  for (let input = together; input < inputs + together; input += together) {
    const state = await fed(target, random);
    if (state !== undefined) {
      process.stdout.write(`${name}: input ${input} with the seed ${seed}: ${state.wrong}\n${state.input}\n`);
      process.exitCode = 1;
      break;
    }
    if (input % PROGRESS_INPUTS < together || input >= inputs) {
      const aSecond = Math.round((input * 1_000) / (performance.now() - beganMs));
      process.stderr.write(
        `${name}: ${input.toLocaleString('en')} inputs, ${aSecond.toLocaleString('en')} a second\n`,
      );
    }
  }
  await target.close?.();
}

async function fed(
  target: Awaited<ReturnType<(typeof TARGETS)[string]>>,
  random: Parameters<typeof target.next>[0],
): Promise<{ readonly input: string; readonly wrong: string } | undefined> {
  try {
    const { input, wrong } = await target.next(random);
    return wrong === undefined ? undefined : { input, wrong };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { input: '(the input of this seed and number)', wrong: `it threw ${text}` };
  }
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}
