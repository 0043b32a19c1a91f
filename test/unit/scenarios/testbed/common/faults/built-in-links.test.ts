import { expect, test } from 'vitest';
import { LINKS, type LinkName } from '../../../../../../scenarios/language/steps/weather.ts';
import { builtInLink } from '../../../../../../scenarios/testbed/common/faults/built-in-links.ts';
import { readCellularTrace } from '../../../../../../world/network-faults/cellular-trace.ts';

test.each(Object.keys(LINKS) as LinkName[])('the built-in link %s is what a recording could hold', (name) => {
  const { stampsMs } = builtInLink(name);
  expect(readCellularTrace(stampsMs.join('\n'))).toEqual({ trace: { stampsMs } });
  expect(builtInLink(name)).toEqual({ stampsMs });
});

test.each<[LinkName, number, number]>([
  ['train', 180, 12.06],
  ['countryside', 60, 5.9],
  ['crowd', 20, 8.25],
])('the link %s lasts %d s, and passes nothing for up to %d s', (name, lastsS, longestS) => {
  const { stampsMs } = builtInLink(name);
  const gapsMs = stampsMs.map((stamp, index) => stamp - (stampsMs[index - 1] ?? 0));
  expect([(stampsMs.at(-1) ?? 0) / 1_000, Math.max(...gapsMs) / 1_000]).toEqual([lastsS, longestS]);
});
