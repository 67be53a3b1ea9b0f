/**
 * The CPU time of this process while something runs, in milliseconds. The time in which other programs run does not
 * count: a test that measures it passes on a busy machine too.
 */
export async function cpuMilliseconds(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
