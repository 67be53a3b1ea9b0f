import { type LineBlock, lineStructure } from '../../structures/index.js';
import { isOutput } from './call.js';
import type { Kind } from './kind.js';
import { cleanLog } from './log-lines.js';
import { countsOf, rateLines } from './log-priorities.js';
import { isSection, signalIn } from './log-signals.js';
import { formOf, templateOf } from './log-templates.js';
import { framesIn, stackAt, stackBlocks } from './stack-frames.js';

const LEVEL = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/;
const FEWEST_LINES = 2;
/** The output of a command is a log rather than prose, if nothing else is surer of it. */
const OF_A_PROGRAM = 0.25;
/** Least share of lines of repeated forms. */
const REPEATED = 0.3;
/** How sure it is if all that tells it is a stack trace among the lines. */
const TRACED = 0.5;
/** A longer line is shown in short, in characters. */
const LONGEST_LINE = 320;
const BEGINNING = 220;
const END = 80;

/** The output of programs that run: servers, builds and tests. Its failures and its end matter most. */
export const log = {
  name: 'log',
  recognise(lines, _text, context) {
    const filled = lines.filter((line) => line.trim() !== '');
    if (filled.length < FEWEST_LINES) return 0;
    const { stamped, lines: plain } = cleanLog(filled);
    const forms = plain.map((line) => formOf(templateOf(line)));
    const signals = plain.map((line, at) => signalIn(line, forms[at] as string));
    const marked = plain.filter(
      (line, at) =>
        LEVEL.test(line.slice(0, 80)) ||
        isSection(line) ||
        signals[at] === 'failed-test' ||
        signals[at] === 'passed-test',
    );
    const sure = (stamped + marked.length) / filled.length;
    // Programs say the same again and again, and then that something failed.
    const counts = countsOf(forms.filter((form) => /[a-z]{2}/i.test(form)));
    const repeated = forms.filter((form) => (counts.get(form) ?? 0) > 2).length / filled.length;
    const failed = signals.some((signal) => signal === 'verdict' || signal === 'count');
    const traced = framesIn(plain, false).filter((frame) => frame !== undefined).length > 1;
    const told = failed && repeated >= REPEATED ? 0.3 + repeated / 2 : 0;
    return Math.min(1, Math.max(sure, told, traced ? TRACED : 0, isOutput(context) ? OF_A_PROGRAM : 0));
  },
  read(text) {
    const { lines, removed } = cleanLog(text.split('\n'));
    const read = lines.map((line) => {
      const template = templateOf(line);
      return { line, template, form: formOf(template) };
    });
    const rated = rateLines(read);
    const frames = framesIn(lines, false);
    const blocks: LineBlock[] = [];
    const known = new Set<string>();
    const isNew = (text: string) => {
      const size = known.size;
      return known.add(text).size > size;
    };
    for (let at = 0; at < lines.length; at++) {
      const stack = stackAt(frames, at);
      if (stack.length > 1) {
        // The line above a stack names the error; in Python, the line below it does.
        const last = stack.at(-1)?.end as number;
        const priority = Math.max(rated[at - 1]?.priority ?? 0, rated[last]?.priority ?? 0);
        blocks.push(...stackBlocks(lines, stack, { priority, isNew, before: blocks.length }));
        at = last - 1;
        continue;
      }
      const { line, template } = read[at] as (typeof read)[number];
      const { priority, signal } = rated[at] as (typeof rated)[number];
      const isLong = line.length > LONGEST_LINE;
      blocks.push({
        first: at + 1,
        last: at + 1,
        priority: isLong ? priority * 0.8 : priority,
        ...(line === ''
          ? { isSilent: true }
          : { label: signal === 'passed-test' ? 'passing tests' : template.replace(/[#0]/g, '…') }),
        ...(isLong
          ? { folded: { text: `${line.slice(0, BEGINNING)} … ${line.slice(-END)}`, priority } }
          : {}),
      });
    }
    return lineStructure(lines, blocks, removed);
  },
} as const satisfies Kind;
