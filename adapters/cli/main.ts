#!/usr/bin/env node
import { oldNode } from '../../src/runtime/node-version.js';

const [, , command, ...args] = process.argv;
const isForPeople = args.some((arg) => arg === '--help' || arg === '-h') || process.stdin.isTTY;
// A hook starts with each call of a tool, and never fails: so it loads little, and takes any Node.
if (command === 'hook' && !isForPeople) {
  const { startHook } = await import('../../packages/mcp/src/hook/start.js');
  await startHook(args);
} else {
  // The program is loaded only after the check: an old Node could not load all of its modules.
  const problem = oldNode();
  if (problem === undefined) {
    const [{ makeProgram }, { start }] = await Promise.all([import('./program.js'), import('./run.js')]);
    await start(makeProgram);
  } else {
    console.error(problem);
    process.exitCode = 2;
  }
}
