import type { Message } from '../../../protocol/message.ts';
import type { Signals } from '../../../protocol/signals.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { boxReadings, READ_BY_BOX } from './box-readings.ts';

/**
 * The properties of the vehicle state that result from signals, as they are stored; null: from then on there is none.
 * The signals of the vehicle are translated by the backend's tables for the model, the box's own readings are not
 * (box-readings.ts).
 */
export function propertiesOfSignals(
  evidence: Pick<Evidence, 'propertiesOf'>,
  model: string,
  signals: Signals,
  report: { readonly timestampMs: number; readonly maintenance: boolean },
): ReadonlyMap<string, unknown> {
  const properties = new Map<string, unknown>();
  for (const [name, property] of Object.entries(evidence.propertiesOf(model, signals, report)))
    if (property !== undefined && !READ_BY_BOX.has(name)) properties.set(name, property.value);
  for (const [name, value] of boxReadings(signals)) properties.set(name, value);
  return properties;
}

/** The signals of a record; undefined: it has none. */
export function signalsOf(message: Message): Signals | undefined {
  switch (message.kind) {
    case 'report':
    case 'event':
    case 'access':
    case 'reply':
      return message.signals;
    default:
      return undefined;
  }
}
