/** Ends a program that npm started when npm has ended. */

/** How often to look, in milliseconds. Node has no event for it. */
const INTERVAL = 250;

/**
 * Calls back once when the parent process has ended, if npm (`npx`, `npm exec`, `npm run`) started this program.
 *
 * npm starts a shell, and the shell starts the program. npm passes SIGTERM on to the shell only. Shells such as dash
 * do not pass it on: they end, and the program would run on. Without npm nothing is watched, because a program that
 * `nohup` or a service manager started may outlive its parent. On Windows the number of the parent never changes.
 */
export function whenOrphaned(env: NodeJS.ProcessEnv, callback: () => void): void {
  if (!/\bcontext-shaping\b/.test(env.npm_lifecycle_script ?? '')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, INTERVAL);
  timer.unref();
}
