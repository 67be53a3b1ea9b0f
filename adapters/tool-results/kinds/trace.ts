import { type LineBlock, lineStructure } from '../../structures/index.js';
import { byWords } from '../word-relevance.js';
import type { Kind } from './kind.js';

/** Frames of JavaScript, Java, Kotlin, Scala, .NET, Ruby, PHP, Go, Rust. */
const FRAME =
  /^\s+at \S|^\s+from \S+:\d+:in |^\t\S+\.(?:go|s):\d+|^\s*\d+: +(?:0x[0-9a-f]+ - )?[\w<][\w<>:$. {}#,&*]*$|^#\d+ +\S|^\s*\.\.\. \d+ (?:more|lines matching)|^--- End of /;
const PYTHON = /^( *)(?:\| *)?File "[^"]+", line \d+(?:, in .*)?$/;
/** The first line of a trace, or the message of an error. */
const MESSAGE =
  /^(?:\s*(?:\[cause\]|Caused by|Suppressed):? |(?:Uncaught |Unhandled |Exception in thread "[^"]*" |fatal |java\.|panic: )|thread '[^']*' panicked at |goroutine \d+ \[|Traceback \(most recent call last\)|(?:During handling of the above|The above) exception|[\w.$:]*(?:Error|Exception|Warning|Panic|Interrupt|Exit)\b[^\n]*)/;
/** Frames of installed code: packages, runtimes, standard libraries. */
const LIBRARY =
  /node_modules[\\/]|\bnode:|[( ]internal\/|<anonymous>|\bnative\b|(?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/](?:python|ruby|node)|<frozen |\bat (?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|akka|groovy|clojure|org\.(?:springframework|apache|junit|hibernate|gradle|eclipse|jetbrains)|io\.netty|System|Microsoft)\.|[\\/]gems[\\/]|\/rustc\/|\.cargo\/registry|\b(?:std|core|alloc|tokio)::|\/usr\/(?:local\/)?(?:lib|go)\/|\/pkg\/mod\/|^(?:runtime|testing|net\/http)\.|__libc_start|\.\.\. \d+ more/;
/** A longer message is several blocks, in lines. */
const LONGEST_MESSAGE = 12;
/** Longer runs of frames are several blocks. */
const LONGEST_RUN = 12;

/** Stack traces: messages and causes whole, the caller's own frames before those of libraries. */
export const trace = {
  name: 'trace',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    const frames = framesIn(filled);
    const owned = frames.filter((frame) => frame !== undefined).length;
    if (owned < 2 || !filled.some((line) => MESSAGE.test(line))) return 0;
    const told = filled.filter((line, at) => frames[at] === undefined && MESSAGE.test(line)).length;
    return Math.min(0.97, 0.6 + (owned + told) / filled.length);
  },
  read(text) {
    const lines = text.split('\n');
    const frames = framesIn(lines);
    const blocks: LineBlock[] = [];
    const known = new Set<string>();
    let depth = 0;
    const isNew = (first: number, last: number) => {
      const own = lines.slice(first, last).join('\n');
      if (known.has(own)) return false;
      known.add(own);
      return true;
    };
    for (let at = 0; at < lines.length; ) {
      const first = at;
      const frame = frames[at];
      if (frame === undefined) {
        at = messageEnd(lines, frames, at);
        depth = 0;
        const isEmpty = isRule(lines[first] as string);
        const isRepeated = !isEmpty && !isNew(first, at);
        const priority = isEmpty
          ? 0.02
          : isRepeated
            ? 0.3
            : MESSAGE.test(lines[first] as string)
              ? 0.95
              : 0.85;
        const label = isEmpty ? undefined : isRepeated ? 'repeated messages' : 'messages';
        blocks.push({ first: first + 1, last: at, priority, label });
        continue;
      }
      at = frame.end;
      if (!frame.isLibrary) {
        const priority = (isNew(first, at) ? 0.8 : 0.25) / (1 + 0.01 * depth++);
        // The place of a Python frame is needed more than its line of code.
        const own = PYTHON.test(lines[first] as string) ? first + 1 : at;
        const place = blocks.push({ first: first + 1, last: own, priority, label: 'frames' }) - 1;
        if (own < at)
          blocks.push({
            first: own + 1,
            last: at,
            needs: [place],
            priority: priority * 0.9,
            label: 'lines of code',
          });
        continue;
      }
      let count = 1;
      for (let next = frames[at]; next?.isLibrary && count < LONGEST_RUN; next = frames[at], count++)
        at = next.end;
      blocks.push({
        first: first + 1,
        last: at,
        priority: 0.2 / (1 + 0.01 * depth++),
        label: 'frames of libraries',
        folded: {
          text: `${/^\s*/.exec(lines[first] as string)?.[0] ?? ''}… ${count} ${count === 1 ? 'frame' : 'frames'} of libraries`,
          priority: 0.7,
        },
      });
    }
    return byWords(lineStructure(lines, blocks));
  },
} as const satisfies Kind;

/** Nothing, or a line of one sign. */
const isRule = (line: string): boolean => /^\s*([-=*_~])?\1*\s*$/.test(line);

/** The line behind a part of a message, which is whole up to {@link LONGEST_MESSAGE} lines. */
function messageEnd(lines: readonly string[], frames: readonly unknown[], from: number): number {
  if (isRule(lines[from] as string)) return from + 1;
  let at = from + 1;
  while (
    at < lines.length &&
    at - from < LONGEST_MESSAGE &&
    frames[at] === undefined &&
    !isRule(lines[at] as string)
  )
    at++;
  return at;
}

interface Frame {
  /** The line behind it. */
  readonly end: number;
  readonly isLibrary: boolean;
}

/** The frame that begins at, or contains, each line. */
function framesIn(lines: readonly string[]): (Frame | undefined)[] {
  const frames: (Frame | undefined)[] = lines.map(() => undefined);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const python = PYTHON.exec(line);
    let end = at + 1;
    if (python !== null) {
      // Its line of code, and the marks below it.
      const indent = (python[1] as string).length;
      while (end < lines.length && end - at < 4) {
        const next = lines[end] as string;
        if (PYTHON.test(next) || next.trim() === '' || (/^[ |]*/.exec(next)?.[0].length ?? 0) <= indent)
          break;
        end++;
      }
    } else if (/^\S.*\(.*\)$/.test(line) && /^\t\S+\.(?:go|s):\d+/.test(lines[at + 1] ?? '')) end = at + 2;
    else if (/^\s*\d+: /.test(line) && FRAME.test(line) && /^\s+at \S/.test(lines[at + 1] ?? ''))
      end = at + 2;
    else if (!FRAME.test(line)) continue;
    const isLibrary = LIBRARY.test(lines.slice(at, end).join('\n'));
    for (let own = at; own < end; own++) frames[own] = { end, isLibrary };
    at = end - 1;
  }
  return frames;
}
