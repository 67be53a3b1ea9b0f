import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests import the package by its name, as users do, and get the sources.
  ssr: { resolve: { conditions: ['context-shaping-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // Two at a time: hosts and tokenizers are heavy, and memory is shared with whatever else runs.
    maxWorkers: 2,
  },
});
