import { isCertificate } from '../../brokers/tls/pem.ts';
import { CommandError } from '../shared/command-error.ts';
import { readInput, unreadableText } from './input-file.ts';

/** The certificate authority in a file that `option` names, in PEM form. Throws a `CommandError` where it is none. */
export function readAuthorityFile(file: string, option: string): string {
  const reading = readInput('authority', file);
  if ('fault' in reading) throw new CommandError(unreadableText('authority', file, reading.fault, option));
  const text = Buffer.from(reading.bytes).toString('utf8');
  if (!isCertificate(text))
    throw new CommandError(
      `The certificate authority ${file} (${option}) is not a certificate in PEM format. ` +
        'Give a file that begins with -----BEGIN CERTIFICATE-----.',
    );
  return text;
}

/**
 * The certificate authority of an MQTT broker, in PEM form; undefined: no file is given. Throws a `CommandError` where
 * it is none, or no address of the broker uses TLS.
 */
export function mqttAuthority(mqtt: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (!mqtt.split(',').some((url) => url.trim().startsWith('mqtts:')))
    throw new CommandError(
      '--mqtt-ca is for mqtts:// addresses, and --mqtt has none. Write mqtts://, or omit it.',
    );
  return readAuthorityFile(file, '--mqtt-ca');
}
