/** The world outside the program, and how to write to it. */
import { styleText } from 'node:util';

export interface Output extends NodeJS.WritableStream {
  isTTY?: boolean;
  columns?: number;
}

/** What a run of the program may touch. Tests give their own. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user presses Ctrl-C. */
  signal: AbortSignal;
}

/** Resolves when the stream has taken the text, so that a slow reader slows the program, not its memory. */
export function write(stream: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export const widthOf = (stream: Output): number => stream.columns ?? 100;

export type Style = (format: 'bold' | 'dim' | 'green' | 'cyan', text: string) => string;

/** Colour, on a terminal whose owner has not declined it (https://no-color.org). */
export function styleFor(stream: Output, env: Io['env']): Style {
  const coloured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return (format, text) => (coloured ? styleText(format, text, { validateStream: false }) : text);
}

/** Without what would make a terminal do anything but show text, in its order. Line breaks and tabs stay. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: foreign text, and a terminal obeys control characters
  const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
  return text.replace(/\r\n?/g, '\n').replace(obeyed, '');
}

/** Breaks a line at spaces; a word that is longer than a line, an address say, loses its end. */
export function wrap(line: string, columns: number): string[] {
  const lines: string[] = [];
  let rest = line.trimEnd();
  while (rest.length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    const end = rest.slice(0, space + 1).trim() === '' ? rest.indexOf(' ', columns) : space;
    lines.push(shorten(end < 0 ? rest : rest.slice(0, end), columns));
    rest = end < 0 ? '' : rest.slice(end + 1);
  }
  return rest === '' ? lines : [...lines, rest];
}

export function shorten(text: string, columns: number): string {
  const characters = Array.from(text);
  return characters.length <= columns ? text : `${characters.slice(0, columns - 1).join('')}…`;
}

export interface Progress {
  /** @param count how much further; 1 unless given. */
  step(count?: number): void;
  stop(): void;
}

/** A bar on standard error while something takes its time; nothing where no one would see it. */
export async function startProgress(io: Io, label: string, total: number): Promise<Progress> {
  if (io.stderr.isTTY !== true) return { step: () => {}, stop: () => {} };
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: `${label} {bar} {value}/{total}`,
    stream: io.stderr,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(total, 0);
  return { step: (count) => bar.increment(count), stop: () => bar.stop() };
}
