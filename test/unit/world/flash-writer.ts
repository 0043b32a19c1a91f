import { realFlash } from '../../../world/real-flash.ts';

/** A process that is to be killed: writes page after page and says the number of each that has been resolved. */
const flash = realFlash(process.argv[2] ?? '');
for (let page = 0; ; page++) {
  await flash.write('a', [{ put: `${page}`, bytes: new Uint8Array(100).fill(page) }]);
  process.stdout.write(`${page}\n`);
}
