import { consumeMany, consumeOne } from './amqp-consume.ts';
import { courier } from './courier.ts';
import { frames } from './frames.ts';
import { virtualBulk, virtualDay, virtualLoop } from './virtual.ts';

/** One figure: ours beside a bare reference of the same run. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Pairs of one round each, reference first. */
  readonly rounds: readonly { readonly bare: number; readonly ours: number }[];
  readonly aim: number;
}

/** A figure for which there is nothing bare to be put beside it. */
export interface Rate {
  readonly name: string;
  readonly unit: string;
  readonly rates: readonly number[];
  readonly aim: number;
}

/** What took so long on the wall: the less the better. */
export interface Duration {
  readonly name: string;
  readonly unit: string;
  readonly durations: readonly number[];
  readonly aim: number;
}

const BENCHES: readonly { readonly name: string; run(): Promise<Figure | Rate | Duration | string> }[] = [
  { name: 'frames', run: frames },
  { name: 'courier', run: courier },
  { name: 'consume-one', run: consumeOne },
  { name: 'consume-many', run: consumeMany },
  { name: 'virtual-loop', run: virtualLoop },
  { name: 'virtual-day', run: virtualDay },
  { name: 'virtual-bulk', run: virtualBulk },
];

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const isJson = process.argv.includes('--json');
const unknown = wanted.find((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown !== undefined) {
  process.stderr.write(
    `There is no bench ${unknown}; there are ${BENCHES.map((bench) => bench.name).join(', ')}.\n`,
  );
  process.exit(2);
}

for (const bench of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  const figure = await bench.run();
  if (typeof figure === 'string')
    process.stdout.write(
      isJson
        ? `${JSON.stringify({ name: bench.name, skipped: figure })}\n`
        : `${bench.name}: skipped, ${figure}\n`,
    );
  else process.stdout.write(isJson ? `${JSON.stringify(figure)}\n` : text(figure));
}

function text(figure: Figure | Rate | Duration): string {
  const { name, unit, aim } = figure;
  if ('rates' in figure)
    return `${name}\n${figure.rates.map((rate) => `  ${whole(rate)} ${unit} (aim ${whole(aim)})\n`).join('')}`;
  if ('durations' in figure)
    return `${name}\n${figure.durations.map((took) => `  ${took.toFixed(1)} ${unit} (aim at most ${whole(aim)})\n`).join('')}`;
  const { rounds } = figure;
  const ratios = rounds.map(({ bare, ours }) => ours / bare);
  const lines = rounds.map(
    ({ bare, ours }, index) =>
      `  round ${index + 1}: ${whole(ours)} ${unit} beside ${whole(bare)} bare, ratio ${(ours / bare).toFixed(2)}`,
  );
  return `${name}\n${lines.join('\n')}\n  median ratio ${median(ratios).toFixed(2)} (from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; aim ${aim})\n`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
