import { unmetRequirement } from '../../../protocol/hardware.ts';
import type { ConfigurationRequest, Reply } from '../../../protocol/message.ts';
import { type SettingName, settingNamed } from '../../../protocol/settings.ts';
import { answerRequest, findAnswered, isExpired, repeatAnswer } from '../commands/answered-requests.ts';
import { failsByFault, isBusy } from '../commands/commands.ts';
import { settingsKey, settingsPage, standardSettings } from './pages.ts';
import type { BoxConfiguration } from './state.ts';
import type { StepContext } from './step-context.ts';

/** The factory configurations by the plan's settings: boxes whose plans share settings share the configuration. */
const factoryConfigurations = new WeakMap<object, BoxConfiguration>();

/** The factory configuration of a box: standard values, overridden by those of its plan. */
export function factoryConfiguration(
  given: Readonly<Partial<Record<SettingName, number>>>,
): BoxConfiguration {
  let configuration = factoryConfigurations.get(given);
  if (configuration === undefined) {
    configuration = { revision: 0, values: { ...standardSettings(), ...given } };
    factoryConfigurations.set(given, configuration);
  }
  return configuration;
}

/**
 * Handles a configuration request, under the same rules as a command. The revision in force is answered with
 * `done` and changes nothing. A lower one is outdated: `conflicting-state`. A setting that the hardware
 * lacks, or a value out of its range, refuses the whole request.
 */
export function handleConfiguration(context: StepContext, request: ConfigurationRequest): void {
  const { requestId, expiresMs, revision } = request;
  const answered = findAnswered(context, requestId);
  if (answered !== undefined) {
    repeatAnswer(context, answered);
    return;
  }
  const refusal = refusalOf(context, request);
  if (refusal !== undefined) {
    answerRequest(context, expiresMs, { requestId, ...refusal });
    return;
  }
  if (failsByFault(context, request)) return;
  const isNew = revision > context.flash.configuration.revision;
  // Without room for the reply nothing is done: the backend would never learn of it.
  if (answerRequest(context, expiresMs, { requestId, outcome: 'done' }) === undefined || !isNew) return;
  const values = standardSettings();
  for (const setting of request.settings) values[setting.name] = setting.value;
  context.flash.configuration = { revision, values };
  context.writes.push({ put: settingsKey, bytes: settingsPage(context.flash.configuration) });
}

function refusalOf(
  context: StepContext,
  { expiresMs, revision, settings }: ConfigurationRequest,
): Pick<Reply, 'outcome' | 'error'> | undefined {
  if (isExpired(context, expiresMs)) return { outcome: 'expired', error: '' };
  if (unmetRequirement(settings, context.facts) !== undefined) return { outcome: 'unsupported', error: '' };
  if (isBusy(context)) return { outcome: 'not-ready', error: '' };
  if (revision < context.flash.configuration.revision) return { outcome: 'conflicting-state', error: '' };
  const wrong = settings.find((setting) => !isInRange(setting.name, setting.value));
  return wrong === undefined ? undefined : { outcome: 'failed', error: `${wrong.name} is out of range` };
}

function isInRange(name: SettingName, value: number): boolean {
  const { minimum, maximum } = settingNamed(name);
  return value >= minimum && value <= maximum;
}
