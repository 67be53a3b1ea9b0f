/** Runs one asynchronous job at a time. While one runs, only the newest of the other requests is kept. */
export function newestWins<Request>(
  job: (request: Request) => Promise<void>,
): (request: Request) => Promise<void> {
  let next: { request: Request } | undefined;
  let running: Promise<void> | undefined;
  const drain = async () => {
    while (next !== undefined) {
      const { request } = next;
      next = undefined;
      await job(request);
    }
  };
  return (request) => {
    next = { request };
    running ??= drain().finally(() => {
      running = undefined;
    });
    return running;
  };
}
