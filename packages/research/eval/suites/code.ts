/** Files of source code, each as one result: whether the function that a sentence describes is kept whole. */

import { shapeToolResult } from 'context-shaping-agents';
import { descending } from '../../../devtools/src/measurement/index.js';
import { Bm25 } from '../bm25.js';
import { CODE, type CodeQuestion, type Lines } from '../code/functions.js';
import { questionTerms, termsOf } from '../terms.js';
import { countTokensO200k } from '../tokens.js';
import {
  blindRivals,
  type GivenResult,
  HEAD,
  measureResults,
  RANDOM_LINES,
  type ResultMethod,
  TAIL,
} from './result-suite.js';
import { isAskedFor, type Suite, spread } from './suite.js';

interface File extends GivenResult, CodeQuestion {}

/** Of each collection of files. */
const QUESTIONS = 160;
const FACTORS = [4, 10];
const WINDOW = 20;
const BM25_FUNCTIONS = 'BM25 functions';
const BM25_LINES = `BM25 ${WINDOW} lines`;

/** Words, and those in identifiers: `readAll` is also "read" and "all", `read_all` too. */
const codeTerms = (text: string): string[] => [
  ...termsOf(text),
  ...termsOf(text.replace(/([a-z0-9])(?=[A-Z])|_+/g, '$1 ')),
];

const textOf = (lines: readonly string[], { first, last }: Lines) => lines.slice(first, last + 1).join('\n');

/** The best stretches by BM25, in the order of the file, as long as they fit. */
function bestStretches(file: File, stretches: readonly Lines[], most: number): string {
  const lines = file.text.split('\n');
  const texts = stretches.map((each) => textOf(lines, each));
  const asked = [...questionTerms(file.question), ...codeTerms(file.question)];
  const chosen: Lines[] = [];
  const shown = (all: readonly Lines[]) =>
    all
      .toSorted((a, b) => a.first - b.first)
      .map((each) => textOf(lines, each))
      .join('\n');
  for (const at of descending(new Bm25(texts.map(codeTerms)).scores(asked))) {
    const stretch = stretches[at] as Lines;
    if (chosen.some(({ first, last }) => first <= stretch.first && last >= stretch.last)) continue;
    const others = chosen.filter(({ first, last }) => first < stretch.first || last > stretch.last);
    if (countTokensO200k(shown([...others, stretch])) <= most)
      chosen.splice(0, chosen.length, ...others, stretch);
  }
  return shown(chosen);
}

const rivals: ResultMethod<File>[] = [
  ...blindRivals<File>(),
  { name: BM25_FUNCTIONS, shape: (file, most) => bestStretches(file, file.functions, most) },
  {
    name: BM25_LINES,
    shape(file, most) {
      const count = file.text.split('\n').length;
      const windows = Array.from({ length: Math.ceil(count / WINDOW) }, (_, at) => ({
        first: at * WINDOW,
        last: Math.min(count, (at + 1) * WINDOW) - 1,
      }));
      return bestStretches(file, windows, most);
    },
  },
];

const ours: ResultMethod<File> = {
  name: 'ours',
  gates: [RANDOM_LINES, HEAD, TAIL, BM25_FUNCTIONS, BM25_LINES],
  shape({ text, path, question }, maxTokens) {
    const options = { maxTokens, query: question, arguments: { path }, tokenizer: 'o200k_base' } as const;
    return shapeToolResult({ content: text, ...options });
  },
};

export const code: Suite = {
  name: 'code',
  async run({ limit, sets, onProgress }) {
    // Every second file was used to choose the settings; the others are reported.
    const isChoosing = sets !== undefined && isAskedFor('choosing', sets);
    const files = Object.values(CODE).flatMap((questions) =>
      questions(QUESTIONS).filter((_, at) => (at % 2 === 0) === isChoosing),
    );
    return measureResults({
      suite: 'code',
      title: 'Functions that a sentence describes, kept whole',
      given: spread(files, limit).map((file): File => ({ ...file, id: file.path, group: file.path })),
      methods: [...rivals, ours],
      budgetsOf: ({ text }) =>
        FACTORS.map((factor) => [`${factor}x`, Math.floor(countTokensO200k(text) / factor)] as const),
      keptIn: (text, { text: whole, answer }) => Number(text.includes(textOf(whole.split('\n'), answer))),
      notes: [
        `Files of ${Object.keys(CODE).join(', ')}, without the sentences.`,
        'BM25 knows all functions of a file from a parser. --sets choosing: the files that chose the settings.',
      ],
      onProgress,
    });
  },
};
