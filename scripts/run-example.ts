/** `npm run example NAME`: runs an example. `npm run example` lists them. */
import { Command } from 'commander';
import { ContextShapingError } from 'context-shaping';
import { examples, runExample } from './examples.js';

const program = new Command('npm run example')
  .usage('NAME [-- ARGUMENTS]')
  .description('Runs a file of examples/ offline: services that are not there get a stand-in.')
  .helpOption(false)
  .helpCommand(false)
  .configureHelp({ helpWidth: 200 })
  .showHelpAfterError('`npm run example` lists all examples.');

for (const example of examples) {
  program
    .command(example.name)
    .helpGroup(`${example.group}:`)
    .summary(example.shows)
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(async (_, { args }: Command) => {
      // Without `--` before it, npm takes an argument for a setting of its own.
      const isTaken = process.env.npm_config_ollama !== undefined && !args.includes('--ollama');
      const { code } = await runExample(example, { args: isTaken ? [...args, '--ollama'] : args });
      process.exitCode = code;
    });
}

try {
  if (process.argv.length > 2) await program.parseAsync();
  else program.outputHelp();
} catch (error) {
  if (!ContextShapingError.isInstance(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
