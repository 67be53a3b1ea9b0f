#!/usr/bin/env node
const [, , command, ...args] = process.argv;
const isForPeople = args.some((arg) => arg === '--help' || arg === '-h') || process.stdin.isTTY;
// A hook starts with each call of a tool, and never fails: so it loads little, and takes any Node.
if (command === 'hook' && !isForPeople) {
  const { startHook } = await import('./hook/start.js');
  await startHook(args);
} else {
  const [{ start }, { makeProgram }, { makeHookProgram }] = await Promise.all([
    import('context-shaping/cli'),
    import('./program.js'),
    import('./hook/program.js'),
  ]);
  await start(command === 'hook' ? makeHookProgram : makeProgram);
}

export {};
