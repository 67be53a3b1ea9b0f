import { configDefaults, defineConfig } from 'vitest/config';

/** Folders whose name says the project of all tests below them. */
const folder = (name: string) => `{test,packages/*/test}/${name}/**/*.test.ts`;

const property = folder('property');
const integration = folder('integration');
const hosts = 'packages/agents/test/hosts/**/*.test.ts';

/** The folder of a test says its project, and nothing else decides what runs: see `test/README.md`. */
export default defineConfig({
  // Tests import the package by its name, as users do, and get the sources.
  ssr: { resolve: { conditions: ['context-shaping-source'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{test,packages}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, property, integration, hosts],
          // To load the frameworks anew for each file would take a third of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'property', include: [property] } },
      { extends: true, test: { name: 'integration', include: [integration] } },
      { extends: true, test: { name: 'hosts', include: [hosts] } },
    ],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    setupFiles: ['test/setup.ts'],
    // Slow machines are no defect; a test that hangs is ended all the same.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Two at a time: frameworks and tokenizers need much memory, and other programs need some too.
    maxWorkers: 2,
    // Of the tests of one file that are marked as concurrent.
    maxConcurrency: 3,
    reporters: process.stdout.isTTY ? ['default'] : ['default', './test/progress.ts'],
    // What passing tests print would hide the progress.
    silent: 'passed-only',
  },
});
