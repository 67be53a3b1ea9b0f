/** How far a batch is: a bar on a terminal, and a summary at the end. */
import { type Io, type Progress, startProgress, write } from 'context-shaping/cli';
import type { BatchProgress } from '../batch/types.js';

export function batchProgress(io: Io) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  let first: BatchProgress | undefined;
  let now: BatchProgress | undefined;
  let bar: Promise<Progress> | undefined;
  return {
    show(progress: BatchProgress): void {
      now = progress;
      const { line, bytes, size } = progress;
      if (first === undefined) {
        first = progress;
        if (line > 0) void write(io.stderr, `Going on after line ${line}.\n`);
        const counts = '{percentage} %, {line} lines, {rejected} rejected, {eta_formatted} left';
        bar = startProgress(io, 'Shaping', size, counts);
      }
      void bar?.then((each) => each.to(bytes, progress));
    },
    /** @param interrupted whether to say where the next start goes on. */
    async stop(interrupted: boolean): Promise<void> {
      (await bar)?.stop();
      if (interrupted && now !== undefined)
        await write(io.stderr, `Stopped after line ${now.line}. The same command goes on there.\n`);
    },
    /** @returns when the summary is written. */
    async finish(rejects: string): Promise<void> {
      (await bar)?.stop();
      if (now === undefined || first === undefined) return;
      const { line, shaped, rejected, blank } = now;
      const [taken, lines] = [seconds(), line - first.line];
      const where = rejected > 0 ? ` (${rejects})` : '';
      const speed = `${lines} of them now, in ${taken.toFixed(1)} seconds (${(lines / taken).toFixed(1)} a second)`;
      await write(
        io.stderr,
        `${line} lines: ${shaped} shaped, ${rejected} rejected${where}, ${blank} blank; ${speed}.\n`,
      );
    },
  };
}
