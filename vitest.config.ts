import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests import the package by its name, as users do, and get the sources.
  ssr: { resolve: { conditions: ['context-shaping-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // A machine that is ten times slower than usual is no defect; what hangs is ended all the same.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Two at a time: hosts and tokenizers are heavy, and memory is shared with whatever else runs.
    maxWorkers: 2,
  },
});
