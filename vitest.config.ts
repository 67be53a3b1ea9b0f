import { configDefaults, defineConfig } from 'vitest/config';

/**
 * `vitest run` runs every test in full. `vitest run --mode short`, which `npm test` calls, leaves out what takes long:
 * files named `*.long.test.ts`, tests with the tag `long`, and cases beyond the short number of `cases()`.
 */
export default defineConfig(({ mode }) => {
  const isShort = mode === 'short';
  return {
    // Tests import the package by its name, as users do, and get the sources.
    ssr: { resolve: { conditions: ['context-shaping-source'] } },
    test: {
      include: ['{test,packages}/**/*.test.ts'],
      exclude: [...configDefaults.exclude, ...(isShort ? ['**/*.long.test.ts'] : [])],
      tags: [{ name: 'long', description: 'Takes long, or needs a server: not part of `npm test`.' }],
      tagsFilter: isShort ? ['!long'] : [],
      env: { CONTEXT_SHAPING_TESTS: isShort ? 'short' : 'full' },
      // Loading the frameworks anew for each file would take a third of the short run. The full run does it, so each
      // file is also shown to pass alone.
      isolate: !isShort,
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
      silent: isShort ? 'passed-only' : false,
    },
  };
});
