/** The streams and environment of the program, and text for terminals. */
import { styleText } from 'node:util';
import { DIRECTION_CONTROLS } from '../../src/internal.js';

export interface Output extends NodeJS.WritableStream {
  isTTY?: boolean;
  columns?: number;
}

/** Everything outside the process that a run uses. Tests give their own. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user presses Ctrl-C. */
  signal: AbortSignal;
}

/** Resolves when the stream has taken the text, so that a slow reader slows the program and does not fill its memory. */
export function write(stream: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Some terminals say that they have no columns. */
export const widthOf = (stream: Output): number => stream.columns || 100;

export type Style = (format: 'bold' | 'dim' | 'green' | 'yellow', text: string) => string;

/** Styles on a terminal, unless NO_COLOR is set (https://no-color.org). */
export function styleFor(stream: Output, env: Io['env']): Style {
  const coloured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return (format, text) => (coloured ? styleText(format, text, { validateStream: false }) : text);
}

/** A terminal obeys these instead of showing them: controls other than line feed and tab, and changes of direction. */
const OBEYED = new RegExp(String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f${DIRECTION_CONTROLS}]`, 'g');

/** Removes what a terminal would obey. Line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(OBEYED, '');
}

/** With `…` in place of the end that a line has no room for. */
export function shorten(text: string, columns: number): string {
  const characters = Array.from(text);
  return characters.length <= columns ? text : `${characters.slice(0, columns - 1).join('')}…`;
}

export interface Progress {
  /** Advances by one. */
  step(): void;
  /** Advances to a number of steps, with values for the format. */
  to(value: number, shown: object): void;
  stop(): void;
}

/**
 * Shows a progress bar on standard error if it is a terminal.
 *
 * @param counts the text after the bar, in the format of cli-progress.
 */
export async function startProgress(
  io: Io,
  label: string,
  total: number,
  counts = '{value}/{total}',
): Promise<Progress> {
  if (io.stderr.isTTY !== true) return { step: () => {}, to: () => {}, stop: () => {} };
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: `${label} {bar} ${counts}`,
    stream: io.stderr,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(total, 0);
  return {
    step: () => bar.increment(),
    to: (value, shown) => bar.update(value, shown),
    stop: () => bar.stop(),
  };
}
