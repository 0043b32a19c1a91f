import { openRealFlash } from '../../../world/flash/real-flash.ts';

/** A process that is to be killed: writes page after page and prints the number of each that was resolved. */
const flash = await openRealFlash(process.argv[2] ?? '');
for (let page = 0; ; page++) {
  await flash.write('a', [{ put: `${page}`, bytes: new Uint8Array(100).fill(page) }]);
  process.stdout.write(`${page}\n`);
}
