/** How far a batch is: a bar on a terminal, else a line now and then; a summary at the end. */

import { type Io, type Progress, startProgress, write } from 'context-shaping/internal';
import type { BatchProgress } from '../batch/types.js';

/** Milliseconds between lines without a terminal. */
const INTERVAL = 30_000;

export function batchProgress(io: Io) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  let first: BatchProgress | undefined;
  let now: BatchProgress | undefined;
  let bar: Promise<Progress> | undefined;
  let shown: BatchProgress | undefined;
  const timer = setInterval(() => {
    if (first === undefined || now === undefined || now === shown) return;
    shown = now;
    const { line, rejected, bytes, size } = now;
    const left = (seconds() * (size - bytes)) / (bytes - first.bytes);
    const percent = Math.floor((100 * bytes) / size);
    void write(
      io.stderr,
      `${line} lines (${percent} %), ${rejected} rejected, about ${duration(left)} left.\n`,
    );
  }, INTERVAL);
  if (io.stderr.isTTY) clearInterval(timer);

  const stop = async () => {
    clearInterval(timer);
    (await bar)?.stop();
  };
  return {
    show(progress: BatchProgress): void {
      now = progress;
      if (first === undefined) {
        first = progress;
        if (progress.line > 0) void write(io.stderr, `Going on after line ${progress.line}.\n`);
        const counts = '{percentage} %, {line} lines, {rejected} rejected, {eta_formatted} left';
        bar = startProgress(io, 'Shaping', progress.size, counts);
      }
      void bar?.then((each) => each.to(progress.bytes, progress));
    },
    /** @param interrupted whether to say where the next start goes on. */
    async stop(interrupted: boolean): Promise<void> {
      await stop();
      if (interrupted && now !== undefined)
        await write(io.stderr, `Stopped after line ${now.line}. The same command goes on there.\n`);
    },
    /** @returns when the summary is written. */
    async finish(rejects: string): Promise<void> {
      await stop();
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

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}
