import type { DatabaseAddress } from './address.ts';
import type { PostgresLimits } from './limits.ts';
import { codeOf, wordsOf } from './meaning.ts';

/** What failed at opening, and the remedy. */
type Advice = (address: DatabaseAddress, words: string, limits: PostgresLimits) => string;

const unreachable: Advice = ({ shown }, words) =>
  `${shown} cannot be reached: ${words}. Is the server running there, and does it listen at that address?`;
const hangsUp: Advice = ({ shown }) =>
  `What listens at ${shown} has ended the connection: it is no PostgreSQL server, or it is ending.`;
const notPostgres: Advice = ({ shown }, words) =>
  `What listens at ${shown} is no PostgreSQL server: ${words}. Give the address of one; its port is usually 5432.`;
const notTrusted: Advice = ({ shown }, words) =>
  `The certificate of ${shown} is not trusted: ${words}. Give the authority that has signed it.`;
/** By SQLSTATE (PostgreSQL 17, appendix A) or the name of Node's error. */
const ADVICE: Readonly<Record<string, Advice>> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: hangsUp,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  EACCES: unreachable,
  ENOENT: unreachable,
  NOT_POSTGRES: notPostgres,
  ENOTFOUND: ({ shown, host }) => `${shown} cannot be reached: there is no host ${host}.`,
  EAI_AGAIN: ({ shown, host }) =>
    `${shown} cannot be reached: the name ${host} cannot be looked up just now.`,
  // invalid_password
  '28P01': ({ shown, user, password }) =>
    password === undefined
      ? `${shown} asks for a password of ${user}, and the address has none.`
      : `${shown} does not accept the password of ${user}.`,
  // invalid_authorization_specification: no such user, or none from here, or none without TLS
  '28000': ({ shown, tls }, words) =>
    tls === 'disable' && words.includes('no encryption')
      ? `${shown} may want TLS: ${words}. Add sslmode=verify-full to the address, and give the authority of its certificate.`
      : `${shown} does not let this user in: ${words}.`,
  // invalid_catalog_name
  '3D000': ({ shown, database, user }) =>
    `${shown} does not exist: create the database, such as by createdb --owner ${user} ${database}.`,
  // insufficient_privilege
  '42501': ({ shown, user }, words) =>
    `${user} may not do in ${shown} what is needed: ${words}. Make it the owner of the database, or grant it all on the schema.`,
  // too_many_connections
  '53300': ({ shown }, words) =>
    `${shown} has no connection left: ${words}. Raise max_connections, or end others.`,
  // cannot_connect_now
  '57P03': ({ shown }, words) => `${shown} cannot be used yet: ${words}.`,
  // read_only_sql_transaction
  '25006': ({ shown }, words) =>
    `${shown} can only be read: ${words}. Give the address of the server that can be written.`,
  // lock_not_available and query_canceled: of a migration, whose time limits they are
  '55P03': ({ shown }, words) =>
    `The tables of ${shown} cannot be changed while another connection uses them: ${words}. Try again.`,
  '57014': ({ shown }, words) => `${shown} took too long: ${words}.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_SIGNATURE_FAILURE: notTrusted,
  CERT_HAS_EXPIRED: ({ shown }, words) => `The certificate of ${shown} is out of date: ${words}.`,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ shown }, words) =>
    `The certificate of ${shown} is for another host: ${words}. Use the name that it is for, or sslmode=verify-ca.`,
};

/** By a part of the driver's sentence, if it gives no code. */
const ADVICE_BY_WORDS: readonly (readonly [part: string, advice: Advice])[] = [
  [
    'does not support SSL',
    ({ shown }) => `${shown} does not offer TLS: set it up there (ssl = on), or write sslmode=disable.`,
  ],
  [
    'client password must be',
    ({ shown, user }) => `${shown} asks for a password of ${user}, and the address has none.`,
  ],
  [
    'timeout',
    ({ shown }, _, { connectMs }) =>
      `${shown} has not answered as PostgreSQL does within ${connectMs / 1000} s: is it a PostgreSQL server, and is the way to it open?`,
  ],
  ['terminated unexpectedly', hangsUp],
  [
    'establishing an SSL connection',
    (address, _, limits) => notPostgres(address, 'it does not answer as one', limits),
  ],
  [
    'received invalid response',
    (address, _, limits) => notPostgres(address, 'it does not answer as one', limits),
  ],
];

/** One line with the failure at opening and the remedy, without the password. */
export function openSentence(error: unknown, address: DatabaseAddress, limits: PostgresLimits): string {
  // Some drivers' errors end with a full stop, which the sentence has already.
  const words = wordsOf(error).replace(/[.\s]+$/, '');
  const byCode = ADVICE[codeOf(error) ?? ''];
  const advice = byCode ?? ADVICE_BY_WORDS.find(([part]) => words.includes(part))?.[1] ?? other;
  return advice(address, words, limits).replaceAll(/\s*\n\s*/g, ' ');
}

const other: Advice = ({ shown }, words) => `${shown} cannot be opened: ${words}.`;
