/** Questions on the documentation in `node_modules`: answers kept in a budget, and how what is kept reads. */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimate } from '../../../devtools/src/measurement/index.js';
import { type Retrieval, retrieveAll } from '../readmes/corpus.js';
import { QUESTIONS } from '../readmes/questions.js';
import { danglingLines, hasOpenFence, leaningExcerpts } from '../readmes/reading.js';
import { share } from '../tables.js';
import type { Suite } from './suite.js';

const BUDGET = 1500;

interface Passage {
  id: string;
  text: string;
  excerpts?: { start: number; end: number }[];
}

interface Result {
  passages: readonly Passage[];
  /** Did something that was worth its room find none? */
  hadMore: boolean;
}

type Way = (retrieval: Retrieval) => Promise<Result>;

const count = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

const topK: Way = async ({ chunks }) => {
  let left = BUDGET;
  const passages = chunks.filter(({ text }) => {
    const tokens = count(text);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  return { passages, hadMore: true };
};

const shaped =
  (options: ShapingOptions, { scores }: { scores: boolean }): Way =>
  async ({ question, chunks }) => {
    const given = scores ? chunks : chunks.map(({ score: _, ...chunk }) => chunk);
    const shaper = createShaper({ ...options, budget: { maxTokens: BUDGET } });
    const { chunks: passages, report } = await shaper.shape({ query: question, chunks: given });
    return { passages, hadMore: report.evicted.some(({ reason }) => reason === 'over-budget') };
  };

const EXACT = { tokenizer: 'o200k_base' } as const;
const WAYS: Readonly<Record<string, Way>> = {
  'BM25 top-k': topK,
  'ours, out of the box': shaped({}, { scores: true }),
  'ours, exact tokens': shaped(EXACT, { scores: true }),
  'ours, exact tokens, no scores': shaped(EXACT, { scores: false }),
};

export const readmes: Suite = {
  name: 'readmes',
  async run({ limit, onProgress, print }) {
    const retrievals = await retrieveAll(QUESTIONS.slice(0, limit));
    const methods = [];
    const rows = [];
    for (const [at, [method, way]] of Object.entries(WAYS).entries()) {
      onProgress(at, Object.keys(WAYS).length);
      const started = performance.now();
      const results = await Promise.all(retrievals.map(way));
      const milliseconds = (performance.now() - started) / retrievals.length;
      const answers = retrievals.map((each, place) =>
        Number(isAnswered(each, results[place]?.passages ?? [])),
      );
      const used = results.map(
        ({ passages }) => passages.reduce((sum, { text }) => sum + count(text), 0) / BUDGET,
      );
      const usedWithMore = used.filter((_, place) => results[place]?.hadMore);
      const answersKept = estimate(
        answers,
        retrievals.map(({ id }) => id),
      );
      const passages = retrievals.flatMap((retrieval, place) =>
        (results[place] as Result).passages.map((passage) => ({ retrieval, passage })),
      );
      rows.push([
        method,
        `${answers.filter((kept) => kept === 1).length} of ${answers.length}`,
        share(answersKept),
        passages.filter(({ passage }) => hasOpenFence(passage.text)).length,
        passages.reduce((sum, { passage }) => sum + danglingLines(passage.text).length, 0),
        passages.reduce((sum, each) => sum + leaning(each), 0),
        usedWithMore.length === 0 ? '–' : share(estimate(usedWithMore, usedWithMore.map(String))),
      ]);
      methods.push({ method, milliseconds, metrics: { answers: answersKept } });
      if (print)
        for (const [place, { question }] of retrievals.entries())
          print(page(method, question, results[place] as Result));
    }
    return {
      suite: 'readmes',
      counts: { 'questions used': retrievals.length },
      methods,
      comparisons: [],
      tables: [
        {
          title: `Questions on READMEs, ${BUDGET} tokens`,
          columns: [
            'method',
            'answered',
            'answers kept',
            'open fences',
            'dangling lead-ins',
            'leaning excerpts',
            'of the budget used',
          ],
          rows,
          notes: ['Used: by tokens of o200k_base, where something that was worth its room found none.'],
        },
      ],
    };
  },
};

function isAnswered({ packages, answers }: Retrieval, passages: readonly Passage[]): boolean {
  const isOf = (id: string) => packages.some((name) => `/${id}`.includes(`/${name}/`));
  return passages.some(
    ({ id, text }) => isOf(id) && answers.some((answer) => spaced(text).includes(spaced(answer))),
  );
}

const spaced = (text: string) => text.replace(/\s+/g, ' ');

function leaning({ retrieval, passage }: { retrieval: Retrieval; passage: Passage }): number {
  const original = retrieval.chunks.find(({ id }) => id === passage.id)?.text ?? '';
  return leaningExcerpts(original, passage.excerpts ?? []).length;
}

const page = (method: string, question: string, { passages }: Result) =>
  [`\n===== ${method}: ${question}`, ...passages.map(({ id, text }) => `--- ${id}\n${text}`)].join('\n\n');
