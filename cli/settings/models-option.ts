import { type Command, Option } from 'commander';
import { variableOf } from '../../deployment/shared/setting-names.ts';

/** Adds `--models` to a command; the models are loaded before the command runs. */
export function withModels(command: Command): Command {
  return command
    .addOption(
      new Option('--models <dir>', 'a folder with vehicle models of your own').env(variableOf('models')),
    )
    .hook('preAction', async () => {
      const place: unknown = command.opts()['models'];
      if (typeof place === 'string')
        (await import('../../deployment/models/model-directory.ts')).loadModels(place);
    });
}
