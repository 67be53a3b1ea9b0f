/** The frames of stack traces, wherever they are printed: by themselves or among the lines of a log. */
import type { LineBlock } from '../../structures/index.js';

/** Frames of JavaScript, Java, Kotlin, Scala, .NET, Ruby, Go, and lines that count frames. */
const FRAME =
  /^\s+at \S.*(?:[:(<]|\.\w)|^\s+from \S+:\d+:in |^\t\S+\.(?:go|s):\d+|^\s*\.\.\. \d+ (?:more|lines matching)|^ *(?:\| *)?\[Previous line repeated \d+ more/;
/** Frames of Rust, PHP and debuggers, which resemble lines of lists. */
const NUMBERED = /^\s*\d+: +(?:0x[0-9a-f]+ - )?[\w<][\w<>:$. {}#,&*]*$|^#\d+ +\S|^\s+at \S|^--- End of /;
/** A line that counts frames which the trace itself leaves out. */
const ELIDED = /^\s*\.\.\. \d+ |^[ |]*\[Previous line/;
const PYTHON = /^( *)(?:\| *)?File "[^"]+", line \d+(?:, in .*)?$/;
/** Signs below a line of code that show a place in it. */
const MARKS = /^[ |]*[~^]+$/;
/** Frames of installed code: packages, runtimes, standard libraries. */
const LIBRARY =
  /node_modules[\\/]|\bnode:|[( ]internal\/|<anonymous>|\bnative\b|(?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/](?:python|ruby|node)|<frozen |\bat (?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|akka|groovy|clojure|org\.(?:springframework|apache|junit|hibernate|gradle|eclipse|jetbrains)|io\.netty|System|Microsoft)\.|[\\/]gems[\\/]|\/rustc\/|\.cargo\/registry|\b(?:std|core|alloc|tokio)::|\/usr\/(?:local\/)?(?:lib|go)\/|\/pkg\/mod\/|^(?:runtime|testing|net\/http)\.|__libc_start/;

export const isOfLibrary = (text: string): boolean => LIBRARY.test(text);

export interface Frame {
  readonly first: number;
  /** The line behind its place: its first line of code, if it has any. */
  readonly code: number;
  /** The line behind it. */
  readonly end: number;
  readonly isLibrary: boolean;
}

/**
 * The frame that begins at, or contains, each line.
 *
 * @param isTrace whether lines that resemble those of lists are frames.
 */
export function framesIn(lines: readonly string[], isTrace: boolean): (Frame | undefined)[] {
  const frames: (Frame | undefined)[] = lines.map(() => undefined);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const python = PYTHON.exec(line);
    let end = at + 1;
    let code: number | undefined;
    if (python !== null) {
      // Its line of code, and the marks below it.
      code = end;
      const indent = (python[1] as string).length;
      while (end < lines.length && end - at < 4) {
        const next = lines[end] as string;
        if (PYTHON.test(next) || next.trim() === '' || (/^[ |]*/.exec(next)?.[0].length ?? 0) <= indent)
          break;
        end++;
      }
    } else if (/^\S[^(]*\(.*\)$/.test(line) && /^\t\S+\.(?:go|s):\d+/.test(lines[at + 1] ?? '')) end = at + 2;
    else if (isTrace && NUMBERED.test(line))
      end = /^\s*\d+: /.test(line) && /^\s+at \S/.test(lines[at + 1] ?? '') ? at + 2 : end;
    else if (!FRAME.test(line)) continue;
    const isLibrary = ELIDED.test(line) || isOfLibrary(lines.slice(at, end).join('\n'));
    for (let own = at; own < end; own++) frames[own] = { first: at, code: code ?? end, end, isLibrary };
    at = end - 1;
  }
  return frames;
}

/** The frames that follow each other without another line between them, from this line on. */
export function stackAt(frames: readonly (Frame | undefined)[], from: number): Frame[] {
  const stack: Frame[] = [];
  for (let frame = frames[from]; frame !== undefined; frame = frames[frame.end]) stack.push(frame);
  return stack;
}

/** Priorities as shares of that of the trace. */
const OWN = 0.85;
const REPEATED = 0.3;
const OF_LIBRARY = 0.2;
/** Frames are wanted less, the further they are from the failure. */
const DEPTH = 0.01;
/** Lines of code are wanted a little less than their places, which they need. */
const CODE = 0.9;
const MARKED = 0.5;

/**
 * The blocks of a stack: the frames of the program first, those near the failure before those that led there. Frames of
 * libraries are shown if there is room.
 *
 * @param priority of the trace, 0..1.
 * @param isNew whether a text was not there before.
 * @param before number of blocks before these.
 */
export function stackBlocks(
  lines: readonly string[],
  stack: readonly Frame[],
  { priority, isNew, before }: { priority: number; isNew: (text: string) => boolean; before: number },
): LineBlock[] {
  const blocks: LineBlock[] = [];
  // Python names the frame of the failure last.
  const isReversed = PYTHON.test(lines[stack[0]?.first ?? 0] as string);
  for (const [at, { first, code, end, isLibrary }] of stack.entries()) {
    const depth = 1 + DEPTH * (isReversed ? stack.length - 1 - at : at);
    const isRepeated = !isLibrary && !isNew(lines.slice(first, end).join('\n'));
    const share = isLibrary ? OF_LIBRARY : isRepeated ? REPEATED : OWN;
    const own = (priority * share) / depth;
    const place = before + blocks.length;
    blocks.push({
      first: first + 1,
      last: code,
      priority: own,
    });
    for (let line = code; line < end; line++) {
      const isMarks = MARKS.test(lines[line] as string);
      blocks.push({
        first: line + 1,
        last: line + 1,
        needs: [isMarks && line > code ? before + blocks.length - 1 : place],
        priority: own * (isMarks ? MARKED : CODE),
        ...(isMarks ? { isSilent: true } : {}),
      });
    }
  }
  return blocks;
}
