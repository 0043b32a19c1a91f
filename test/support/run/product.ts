import { join } from 'node:path';
import process from 'node:process';

const CHECKOUT = join(import.meta.dirname, '..', '..', '..');

/**
 * Where the product is that tests start: the sources of this checkout, or with TEST_PACKAGE the package as it was installed
 * there (`node_modules/boxtwin` of some folder), which is what users have.
 */
export const PRODUCT = process.env['TEST_PACKAGE'] ?? CHECKOUT;
/** Its command. */
export const PROGRAM = join(PRODUCT, 'bin/boxtwin.js');
/** Whether it was built: its entries are then modules of their own, and need no alias. */
export const IS_BUILT = PRODUCT !== CHECKOUT;
