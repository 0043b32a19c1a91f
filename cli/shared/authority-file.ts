import { readFileSync } from 'node:fs';
import { isCertificate } from '../../brokers/tls/pem.ts';
import { CommandError } from './command-error.ts';

/** The certificate authority in a file that `option` names, in PEM form. Throws a `CommandError` where it is none. */
export function readAuthorityFile(file: string, option: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = isMissing ? 'does not exist' : `cannot be read: ${wordsOf(error)}`;
    throw new CommandError(`The certificate authority ${file} (${option}) ${why}. Give a file in PEM form.`);
  }
  if (!isCertificate(text))
    throw new CommandError(
      `The certificate authority ${file} (${option}) is not a certificate in PEM format. ` +
        'Give a file that begins with -----BEGIN CERTIFICATE-----.',
    );
  return text;
}

/**
 * The certificate authority of an MQTT broker, in PEM form; undefined: no file is given. Throws a `CommandError` where it
 * is none, or no address of the broker has TLS.
 */
export function mqttAuthority(mqtt: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (!mqtt.split(',').some((url) => url.trim().startsWith('mqtts:')))
    throw new CommandError(
      '--mqtt-ca is for mqtts:// addresses, and --mqtt has none. Write mqtts://, or leave it away.',
    );
  return readAuthorityFile(file, '--mqtt-ca');
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
