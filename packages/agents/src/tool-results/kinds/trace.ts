import { type LineBlock, lineStructure } from '../../structures/index.js';
import { byWords } from '../word-relevance.js';
import type { Kind } from './kind.js';
import { framesIn, isOfLibrary, stackAt, stackBlocks } from './stack-frames.js';

/** The first line of a trace, or the message of an error. */
const MESSAGE =
  /^(?:<ref \*\d+> )?(?:\s*(?:\[cause\]|Caused by|Suppressed):? |(?:Uncaught |Unhandled |Exception in thread "[^"]*" |fatal |java\.|panic: )|thread '[^']*' panicked at |goroutine \d+ \[|Traceback \(most recent call last\)|(?:During handling of the above|The above) exception|[\w.$:]*(?:Error|Exception|Warning|Panic|Interrupt|Exit)\b[^\n]*)/;
/** Lines that say how traces belong together. They do not name an error. */
const LINK = /^(?:Traceback \(most recent call last\)|(?:During handling of the above|The above) exception)/;
/** The place of an uncaught error, which JavaScript prints above its line of code and its trace. */
const PLACE = /^(?:file:\/\/)?\S*[\\/:][^\s:\\/]+:\d+$/;

/** With a smaller share of frames and messages, a trace is among the lines of a log. */
const FEWEST = 0.2;
const FEW = 0.4;

/** Stack traces: messages and causes, then the program's own frames; frames of libraries are counted. */
export const trace = {
  name: 'trace',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    const frames = framesIn(filled, true);
    const owned = frames.filter((frame) => frame !== undefined).length;
    if (owned < 2 || !filled.some((line) => MESSAGE.test(line))) return 0;
    const told = filled.filter((line, at) => frames[at] === undefined && MESSAGE.test(line)).length;
    const share = (owned + told) / filled.length;
    return share < FEWEST ? FEW : Math.min(0.97, 0.7 + share);
  },
  read(text) {
    const lines = text.split('\n');
    const frames = framesIn(lines, true);
    const blocks: LineBlock[] = [];
    const known = new Set<string>();
    const isNew = (text: string) => {
      const size = known.size;
      return known.add(text).size > size;
    };
    /** Lines since the message began. */
    let since = 0;
    let isSource = false;
    for (let at = 0; at < lines.length; ) {
      const stack = stackAt(frames, at);
      const end = stack.at(-1)?.end;
      if (end !== undefined) {
        blocks.push(...stackBlocks(lines, stack, { priority: 1, isNew, before: blocks.length }));
        at = end;
        since = 0;
        continue;
      }
      const line = lines[at++] as string;
      const isMessage = MESSAGE.test(line);
      if (isMessage || isRule(line)) since = 0;
      isSource = PLACE.test(line) || (isSource && !isRule(line));
      const isRepeated = !isRule(line) && !isNew(line);
      const priority = isRule(line)
        ? 0.02
        : isRepeated
          ? 0.3
          : LINK.test(line)
            ? 0.7
            : isMessage
              ? 0.95
              : isSource
                ? isOfLibrary(line)
                  ? 0.15
                  : 0.8 / (1 + 0.2 * since)
                : 0.85 / (1 + 0.05 * since);
      since++;
      blocks.push({
        first: at,
        last: at,
        priority,
        ...(isRule(line) ? { isSilent: true } : isRepeated ? { label: 'repeated messages' } : {}),
      });
    }
    return byWords(lineStructure(lines, blocks));
  },
} as const satisfies Kind;

/** Nothing, or a line of one sign. */
const isRule = (line: string): boolean => /^\s*(?:([-=*_~)}\]])\1*\s*)?$/.test(line);
