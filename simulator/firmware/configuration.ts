import type { ConfigurationRequest } from '../../protocol/message.ts';
import { SETTINGS, type SettingName } from '../../protocol/settings.ts';
import { answer, findAnswer, repeatAnswer } from './answers.ts';
import { isBusy, isExpired } from './commands.ts';
import { settingsKey, settingsPage, standardSettings } from './pages.ts';
import type { Configuration } from './state.ts';
import type { Turn } from './turn.ts';

/** The configuration that a box has from the factory: standard values, with those that its plan gives it. */
export function factoryConfiguration(given: Readonly<Partial<Record<SettingName, number>>>): Configuration {
  return { revision: 0, values: { ...standardSettings(), ...given } };
}

/**
 * Takes a configuration, under the same rules as a command. The revision in force again is done without doing
 * anything; a lower one is overtaken: `conflicting-state`. A value out of its range refuses the whole.
 */
export function configure(turn: Turn, request: ConfigurationRequest): void {
  const { requestId, expiresMs, revision } = request;
  const answered = findAnswer(turn, requestId);
  if (answered !== undefined) {
    repeatAnswer(turn, answered);
    return;
  }
  const inForce = turn.flash.configuration.revision;
  const wrong = request.settings.find((setting) => !isInRange(setting.name, setting.value));
  if (isExpired(turn, expiresMs)) answer(turn, expiresMs, { requestId, outcome: 'expired' });
  else if (isBusy(turn)) answer(turn, expiresMs, { requestId, outcome: 'not-ready' });
  else if (revision < inForce) answer(turn, expiresMs, { requestId, outcome: 'conflicting-state' });
  else if (wrong !== undefined) {
    answer(turn, expiresMs, { requestId, outcome: 'failed', error: `${wrong.name} is out of range` });
  } else if (answer(turn, expiresMs, { requestId, outcome: 'done' }) !== undefined && revision > inForce) {
    const values = standardSettings();
    for (const setting of request.settings) values[setting.name] = setting.value;
    turn.flash.configuration = { revision, values };
    turn.writes.push({ put: settingsKey, bytes: settingsPage(turn.flash.configuration) });
  }
}

function isInRange(name: SettingName, value: number): boolean {
  const row = SETTINGS.find((one) => one.name === name);
  return row !== undefined && value >= row.minimum && value <= row.maximum;
}
