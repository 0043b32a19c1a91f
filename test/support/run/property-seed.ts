import fc from 'fast-check';

/** The default seed of a run: any number would do. */
const USUAL_SEED = 20_260_105;

/**
 * Properties draw the same examples in every run, so that a change is refused for what it does and not by chance
 * (docs/decisions/0012). FAST_CHECK_SEED=random explores, FAST_CHECK_SEED=<number> repeats what a failure has printed.
 */
export function seedOf(wanted: string | undefined): number | undefined {
  if (wanted === undefined || wanted === '') return USUAL_SEED;
  if (wanted === 'random') return undefined;
  const seed = Number(wanted);
  if (Number.isInteger(seed)) return seed;
  throw new Error(`FAST_CHECK_SEED is ${JSON.stringify(wanted)}: it must be "random" or a whole number.`);
}

const seed = seedOf(process.env['FAST_CHECK_SEED']);
fc.configureGlobal(seed === undefined ? {} : { seed });
