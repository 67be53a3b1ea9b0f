import { groupBy } from 'context-shaping/internal';
import {
  addLines,
  type Cell,
  type LineBlock,
  type Outline,
  type Place,
  raritiesOf,
} from '../../structures/index.js';
import { isOutput } from './call.js';
import type { Kind } from './kind.js';
import { cleanLog } from './log-lines.js';
import { countsOf, rateLines } from './log-priorities.js';
import { isSection, signalIn } from './log-signals.js';
import { formOf, type LogLine, logLine, templateOf } from './log-templates.js';
import { framesIn, stackAt, stackBlocks } from './stack-frames.js';

const LEVEL = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/;
/** The time in a line of an access log. */
const ACCESS = /^.{0,100}\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d/;
const SYSTEM_CALL = /^(?:\[pid +\d+\] |\d+ +)?[a-z_]\w*\(.*\)\s+= (?:-?\d|0x|\?)/;
const FEWEST_LINES = 2;
/** The output of a command is a log rather than prose, if nothing else is surer of it. */
const OF_A_PROGRAM = 0.25;
/** Least share of lines of repeated forms. */
const REPEATED = 0.3;
/** Many lines, most of repeated forms, are no sentences: a log rather than prose, if nothing else is surer of them. */
const FEWEST_ALIKE = 12;
const ALIKE = 0.6;
const SENTENCE_END = /[.!?…。！？]["')\]]?\s*$/;
/** How sure it is if all that tells it is a stack trace among the lines. */
const TRACED = 0.5;
/** The first line of a trace, or the message of an error. */
const MESSAGE =
  /^(?:<ref \*\d+> )?(?:\s*(?:\[cause\]|Caused by|Suppressed):? |(?:Uncaught |Unhandled |Exception in thread "[^"]*" |fatal |java\.|panic: )|thread '[^']*' panicked at |goroutine \d+ \[|Traceback \(most recent call last\)|(?:During handling of the above|The above) exception|[\w.$:]*(?:Error|Exception|Warning|Panic|Interrupt|Exit)\b[^\n]*)/;
/** It says how traces belong together, and names no error. */
const LINK = /^(?:Traceback|During|The above) /;
/** With a smaller share of frames and messages, a trace is among the lines of a log. */
const FEWEST_FRAMES = 0.2;
const FEW = 0.4;
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
        SYSTEM_CALL.test(line) ||
        ACCESS.test(line) ||
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
    const sentences = filled.filter((line) => SENTENCE_END.test(line)).length;
    const areRepeated = filled.length >= FEWEST_ALIKE && repeated >= ALIKE && 2 * sentences < filled.length;
    const areLines = isOutput(context) || areRepeated;
    return Math.min(1, Math.max(sure, told, traced ? TRACED : 0, areLines ? OF_A_PROGRAM : 0));
  },
  add: (outline, text, place) => addLog(outline, text, place, false),
} as const satisfies Kind;

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
    return share < FEWEST_FRAMES ? FEW : Math.min(0.97, 0.7 + share);
  },
  add: (outline, text, place) => addLog(outline, text, place, true),
} as const satisfies Kind;

/** @param isTrace whether lines that resemble those of lists are frames. */
function addLog(outline: Outline, text: string, place: Place, isTrace: boolean): void {
  const given = text.split('\n');
  const { lines, removed } = isTrace ? { lines: given, removed: [] } : cleanLog(given);
  const read = lines.map(logLine);
  const rated = rateLines(read);
  const rare = rareFields(read);
  const frames = framesIn(lines, isTrace);
  const blocks: LineBlock[] = [];
  const known = new Set<string>();
  const isNew = (text: string) => {
    const size = known.size;
    return known.add(text).size > size;
  };
  for (let at = 0; at < lines.length; at++) {
    const stack = stackAt(frames, at);
    if (stack.length > Number(!isTrace)) {
      // The line above a stack names the error; in Python, the line below it does.
      const last = stack.at(-1)?.end as number;
      const near = Math.max(rated[at - 1]?.priority ?? 0, rated[last]?.priority ?? 0);
      const priority = isTrace ? 1 : near;
      blocks.push(...stackBlocks(lines, stack, { priority, isNew, before: blocks.length }));
      at = last - 1;
      continue;
    }
    const { line, template } = read[at] as (typeof read)[number];
    const { priority: own, signal } = rated[at] as (typeof rated)[number];
    const told = MESSAGE.test(line) && isNew(line) ? (LINK.test(line) ? 0.7 : 0.95) : Math.min(own, 0.8);
    const priority = isTrace ? told : own;
    const isLong = line.length > LONGEST_LINE;
    blocks.push({
      first: at + 1,
      last: at + 1,
      priority: isLong ? priority * 0.8 : priority,
      rarity: rare[at],
      ...(line === ''
        ? { isSilent: true }
        : { label: signal === 'passed-test' ? 'passing tests' : template.replace(/[#0]/g, '…') }),
      ...(isLong ? { folded: { text: `${line.slice(0, BEGINNING)} … ${line.slice(-END)}`, priority } } : {}),
    });
  }
  outline.removed.push(...removed);
  addLines(outline, text, place, { shown: lines, blocks, rank: isTrace ? undefined : null });
}

/** Least share of lines with as many fields. */
const REGULAR = 0.8;
const FEWEST_FIELDS = 4;
const FIELD = /"(?:[^"\\]|\\.){0,2000}"|\[[^\]]{0,200}\]|\S+/g;

/** How much each line stands out among those of its template by a rare field, 0..1; or among all, if most have as many fields. */
function rareFields(lines: readonly LogLine[]): number[] {
  const rows = lines.map(({ line }) => line.match(FIELD) ?? []);
  const counts = [...countsOf(rows.map(({ length }) => length))];
  const [usual = 0, count = 0] = counts.reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0]);
  const groups = groupBy(lines.keys(), (at) => lines[at]?.template ?? '');
  if (count >= REGULAR * lines.length)
    groups.set(
      '',
      [...rows.keys()].filter((at) => rows[at]?.length === usual),
    );
  const rare = lines.map(() => 0);
  for (const places of groups.values()) {
    const first = rows[places[0] ?? 0] ?? [];
    if (first.length < FEWEST_FIELDS) continue;
    const cells = places.map((at) =>
      (rows[at] as string[]).map((field, column): Cell => [`${column}`, field]),
    );
    for (const [at, rarity] of raritiesOf(cells).entries()) {
      const place = places[at] as number;
      rare[place] = Math.max(rare[place] as number, rarity);
    }
  }
  return rare;
}
