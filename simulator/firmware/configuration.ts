import { unmetNeed } from '../../protocol/hardware.ts';
import type { ConfigurationRequest, Reply } from '../../protocol/message.ts';
import { type SettingName, settingNamed } from '../../protocol/settings.ts';
import { answer, findAnswer, isExpired, repeatAnswer } from './answers.ts';
import { isBusy, isStoppedByFault } from './commands.ts';
import { settingsKey, settingsPage, standardSettings } from './pages.ts';
import type { Configuration } from './state.ts';
import type { Turn } from './turn.ts';

/** The configuration that a box has from the factory: standard values, with those that its plan gives it. */
export function factoryConfiguration(given: Readonly<Partial<Record<SettingName, number>>>): Configuration {
  return { revision: 0, values: { ...standardSettings(), ...given } };
}

/**
 * Takes a configuration, under the same rules as a command. The revision in force again is done without doing
 * anything; a lower one is overtaken: `conflicting-state`. What the hardware lacks, or a value out of its range,
 * refuses the whole.
 */
export function configure(turn: Turn, request: ConfigurationRequest): void {
  const { requestId, expiresMs, revision } = request;
  const answered = findAnswer(turn, requestId);
  if (answered !== undefined) {
    repeatAnswer(turn, answered);
    return;
  }
  const refusal = refusalOf(turn, request);
  if (refusal !== undefined) {
    answer(turn, expiresMs, { requestId, ...refusal });
    return;
  }
  if (isStoppedByFault(turn, request)) return;
  const isNew = revision > turn.flash.configuration.revision;
  // Without room for the reply nothing is done: the backend would never hear of it.
  if (answer(turn, expiresMs, { requestId, outcome: 'done' }) === undefined || !isNew) return;
  const values = standardSettings();
  for (const setting of request.settings) values[setting.name] = setting.value;
  turn.flash.configuration = { revision, values };
  turn.writes.push({ put: settingsKey, bytes: settingsPage(turn.flash.configuration) });
}

function refusalOf(
  turn: Turn,
  { expiresMs, revision, settings }: ConfigurationRequest,
): Pick<Reply, 'outcome' | 'error'> | undefined {
  if (isExpired(turn, expiresMs)) return { outcome: 'expired', error: '' };
  if (unmetNeed(settings, turn.facts) !== undefined) return { outcome: 'unsupported', error: '' };
  if (isBusy(turn)) return { outcome: 'not-ready', error: '' };
  if (revision < turn.flash.configuration.revision) return { outcome: 'conflicting-state', error: '' };
  const wrong = settings.find((setting) => !isInRange(setting.name, setting.value));
  return wrong === undefined ? undefined : { outcome: 'failed', error: `${wrong.name} is out of range` };
}

function isInRange(name: SettingName, value: number): boolean {
  const { minimum, maximum } = settingNamed(name);
  return value >= minimum && value <= maximum;
}
