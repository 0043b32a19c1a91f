import { CLIENT_VARIABLES, type ClientVariables } from '../../../deployment/shared/client-variables.ts';
import { runClient } from './client.ts';
import { isClientFault } from './faults.ts';

/** The small client as a program: `node client-program.ts [FAULT]`. */
const variables = Object.fromEntries(
  CLIENT_VARIABLES.map((name) => [name, process.env[name] ?? '']),
) as ClientVariables;
const fault = process.argv[2] ?? '';
const ended = new AbortController();
process.once('SIGTERM', () => ended.abort());
process.once('SIGINT', () => ended.abort());
await runClient(variables, isClientFault(fault) ? fault : undefined, ended.signal);
process.exit(0);
