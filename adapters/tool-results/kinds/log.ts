import { type LineBlock, lineStructure } from '../../structures/index.js';
import type { Kind } from './kind.js';
import { cleanLog } from './log-lines.js';
import { rateLines } from './log-priorities.js';
import { isSection, signalIn } from './log-signals.js';
import { formOf, templateOf } from './log-templates.js';

const LEVEL = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/;
/** A longer line is shown in short, in characters. */
const LONGEST_LINE = 320;
const BEGINNING = 220;
const END = 80;

/** The output of programs that run: servers, builds and tests. Its failures and its end matter most. */
export const log = {
  name: 'log',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    if (filled.length < 2) return 0;
    const { stamped, lines: plain } = cleanLog(filled);
    const told = plain.filter(
      (line) => LEVEL.test(line.slice(0, 80)) || isSection(line) || /-test$/.test(signalIn(line, line) ?? ''),
    );
    return Math.min(1, (stamped + told.length) / filled.length);
  },
  read(text) {
    const { lines, removed } = cleanLog(text.split('\n'));
    const read = lines.map((line) => {
      const template = templateOf(line);
      return { line, template, form: formOf(template) };
    });
    const rated = rateLines(read);
    const blocks = read.map(({ line, template }, at): LineBlock => {
      const { priority, signal } = rated[at] as (typeof rated)[number];
      const isLong = line.length > LONGEST_LINE;
      return {
        first: at + 1,
        last: at + 1,
        priority: isLong ? priority * 0.8 : priority,
        label: signal === 'passed-test' ? 'passing tests' : template,
        ...(isLong
          ? { folded: { text: `${line.slice(0, BEGINNING)} … ${line.slice(-END)}`, priority } }
          : {}),
      };
    });
    return lineStructure(lines, blocks, removed);
  },
} as const satisfies Kind;
