import { type Command, Option } from 'commander';

/** Adds the flags that choose the setup of worker threads. They exclude each other. */
export const withSetupFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--setup <module>', 'module whose default export is { embedder, options }').conflicts(
        'embedder',
      ),
    )
    .option('--embedder <folder>', 'folder of a static embedding model');
