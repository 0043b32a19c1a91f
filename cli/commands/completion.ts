import type { RootCommand } from '@bomb.sh/tab';
import { Argument, type Command } from 'commander';
import { offerWords } from '../settings/setting-options.ts';

/** What people call, and what the printed scripts call at each press of the tab key. */
const NAME = 'completion';
const ASKED_BY_SCRIPTS = 'complete';
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

const DESCRIPTION = 'Print what your shell needs to complete commands and options.';
const HOW = `
Try it:    source <(boxtwin completion bash)
For good:  boxtwin completion bash > ~/.local/share/bash-completion/completions/boxtwin
           boxtwin completion zsh > "\${fpath[1]}/_boxtwin"
           boxtwin completion fish > ~/.config/fish/completions/boxtwin.fish`;

/**
 * Adds the completion of all commands that the program has by now. The library is loaded only where `asked`, the first
 * argument, is one of its commands: every other command starts without it.
 */
export async function addCompletion(program: Command, asked: string | undefined): Promise<void> {
  if (asked === NAME || asked === ASKED_BY_SCRIPTS) {
    for (const command of program.commands) offerWords(command);
    const { default: tab } = await import('@bomb.sh/tab/commander');
    const root = tab(program, { completionCommandName: NAME });
    const command = program.commands.find((one) => one.name() === NAME);
    command?.description(DESCRIPTION).addHelpText('after', HOW);
    if (asked === ASKED_BY_SCRIPTS) offerNamesFirst(program, root);
    return;
  }
  program
    .command(NAME)
    .description(DESCRIPTION)
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS));
}

/** Before the library prints what it offers, it gets the names that exist now. */
function offerNamesFirst(program: Command, root: RootCommand): void {
  let isInTime = true;
  program.commands
    .find((one) => one.name() === ASKED_BY_SCRIPTS)
    ?.hook('preAction', async (_, { args }) => {
      isInTime = await (await import('./completion-names.ts')).offerNames(root, args);
    })
    // What has not answered in time must not keep the shell waiting.
    .hook('postAction', () => {
      if (!isInTime) process.exit();
    });
}
