import { type Command, Option } from 'commander';
import { variableOf } from '../settings/settings.ts';

/** Adds `--models` to a command; before it is carried out, its models are known. */
export function withModels(command: Command): Command {
  return command
    .addOption(
      new Option('--models <dir>', 'a folder with vehicle models of your own').env(variableOf('models')),
    )
    .hook('preAction', async () => {
      const place: unknown = command.opts()['models'];
      if (typeof place === 'string') (await import('./model-directory.ts')).loadModels(place);
    });
}
