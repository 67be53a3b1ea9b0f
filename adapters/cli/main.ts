#!/usr/bin/env node
import { oldNode } from '../../src/runtime/node-version.js';

// The program is loaded only after the check: an old Node could not load all of its modules.
const problem = oldNode();
if (problem === undefined) {
  const { makeProgram, start } = await import('./program.js');
  await start(makeProgram);
} else {
  console.error(problem);
  process.exitCode = 2;
}
