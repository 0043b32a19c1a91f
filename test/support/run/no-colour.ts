/**
 * Programs that tests start write what a pipe gets at a desk, wherever the tests run: vitest hands FORCE_COLOR on, and CI alone
 * makes text coloured. Node warns of both variables at once, so the first one goes.
 */
delete process.env['FORCE_COLOR'];
process.env['NO_COLOR'] = '1';
