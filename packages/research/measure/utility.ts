/**
 * What a language model adds to relevance if the answer is not known: `npm run research -- measure/utility --data DIR --gguf
 * MODEL.gguf --cache FOLDER [--limit 100] [--sets NAMES] [--method answer]`. `poison` is a name of a set, too.
 *
 * Each question has 16 candidates, the most relevant of its pool, with evidence among them. The model says by how much each
 * makes the question more probable (`ecs.withoutAnswer: 'question'`). Tables show how relevance, utility alone and blends
 * rank, with each share and with the share that is best on the other sets, and how much evidence a tenth of the tokens keeps.
 * With poison: five passages of PoisonedRAG, which repeat the question before a lie, beside ten others.
 *
 * Utilities are kept in the folder, so a run that was stopped goes on. It needs node-llama-cpp beside the package.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { type Chunk, createShaper, type EcsMethod, type LogprobModel, withRelevance } from 'context-shaping';
import { nodeLlamaCpp } from 'context-shaping/logprobs';
import { fitModels } from 'context-shaping-devtools/evaluate';
import { blend } from '../../../src/ecs/blend.js';
import { onOneLine } from '../../../src/ecs/prompt.js';
import { METHODS } from '../../../src/input/options.js';
import { LEAST_QUESTIONS } from '../../devtools/src/gate/index.js';
import { type Estimate, estimate, mean } from '../../devtools/src/measurement/index.js';
import { ECHO } from '../eval/attacks/echoes.js';
import type { Case, Dataset } from '../eval/data/case.js';
import { loadLocomo } from '../eval/data/locomo.js';
import { loadLongMemEvalTurns } from '../eval/data/longmemeval.js';
import { loadConversations } from '../eval/data/mtrag-un.js';
import { loadHotpot, loadMusique } from '../eval/data/multihop.js';
import { loadNaturalQuestions, loadNaturalQuestionsCollection } from '../eval/data/nq.js';
import { loadPoisonedQuestions, loadPoisonedRag } from '../eval/data/poison.js';
import { loadRamdocs } from '../eval/data/ramdocs.js';
import { bm25Scores } from '../eval/methods/lexical.js';
import { answersKept, type Kept, ndcgAt } from '../eval/metrics.js';
import { spread } from '../eval/suites/suite.js';
import { signed } from '../eval/tables.js';
import { countTokensO200k } from '../eval/tokens.js';

const flags = new Command('measure/utility')
  .requiredOption('--data <folder>')
  .requiredOption('--gguf <file>', 'the model')
  .requiredOption('--cache <folder>', 'where utilities are kept')
  .option('--limit <questions>', 'of each set', Number, 100)
  .option('--poison <questions>', 'of each set', Number, 20)
  .option('--known', 'only questions that the folder has')
  .option('--sets <names...>', 'all, if it is absent')
  .addOption(new Option('--method <name>').choices(METHODS).default('question'))
  .parse()
  .opts<{
    data: string;
    gguf: string;
    cache: string;
    limit: number;
    poison: number;
    known?: true;
    sets?: string[];
    method: EcsMethod;
  }>();

const { method } = flags;
/** Relevance knows the history of these questions, and utility does not. */
const WITHOUT_HISTORY = 'conversations-last-turn';

/** The questions of Natural Questions, over passages that each stand below the question that they answer. */
function frequentQuestions(dataDir: string): Dataset | undefined {
  const dataset = loadNaturalQuestionsCollection(dataDir);
  if (dataset === undefined) return undefined;
  const entries = new Map<string, Chunk>();
  for (const { question, relevant, chunks } of dataset.cases) {
    const gold = chunks.find(({ id }) => id === relevant[0]);
    if (gold && !entries.has(gold.id))
      entries.set(gold.id, { id: gold.id, text: `# ${question}?\n\n${gold.text}` });
  }
  const pool = [...entries.values()];
  // In the heading of its passage each question stands as the user asks it.
  const asked = dataset.cases.filter(({ question, relevant: [gold = ''] }) =>
    entries.get(gold)?.text.startsWith(`# ${question}?`),
  );
  const cases = spread(asked, SAMPLE).map((each) => ({
    ...each,
    chunks: bestByWords(each.question, pool, 40),
  }));
  return { ...dataset, cases };
}

function bestByWords(question: string, pool: readonly Chunk[], count: number): Chunk[] {
  const scores = bm25Scores({ question, chunks: pool, seed: 0 });
  return [...pool.keys()]
    .sort((a, b) => (scores[b] as number) - (scores[a] as number))
    .slice(0, count)
    .map((place) => pool[place] as Chunk);
}

const SETS: Readonly<Record<string, (dataDir: string) => Dataset | undefined>> = {
  nq: loadNaturalQuestions,
  hotpot: loadHotpot,
  musique: loadMusique,
  ramdocs: loadRamdocs,
  locomo: loadLocomo,
  longmemeval: loadLongMemEvalTurns,
  conversations: loadConversations,
  [WITHOUT_HISTORY]: loadConversations,
  faq: frequentQuestions,
};
const CANDIDATES = 16;
/** Questions of each set that are looked at, and a step that meets each of them once. */
const SAMPLE = 130;
const STEP = 37;
const SHARES = [0, 0.25, 0.33, 0.5, 0.67, 1];
/** Nothing is merged, and the order of the pools means nothing. */
const RANK_ONLY = { exactDedup: false, semanticDedup: false, ranked: false } as const;
const COUNTED = ['R@1', 'MRR', 'nDCG@10', 'evidence at 1/10'] as const;

interface Candidate {
  chunk: Chunk;
  relevance: number;
  isRelevant: boolean;
  utility?: number | undefined;
}
interface Asked {
  question: Case;
  candidates: Candidate[];
}

/** The most relevant chunks, if there is evidence in some and not in others. */
async function candidatesOf(question: Case): Promise<Asked | undefined> {
  const { report } = await createShaper(RANK_ONLY).shape({
    query: { text: question.question, history: question.history },
    chunks: [...question.chunks],
  });
  const best = report.kept.toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0)).slice(0, CANDIDATES);
  const candidates = best.map(
    ({ id, index, relevance = 0 }): Candidate => ({
      chunk: question.chunks[index] as Chunk,
      relevance,
      isRelevant: question.relevant.includes(id),
    }),
  );
  const found = new Set(candidates.map(({ isRelevant }) => isRelevant));
  return found.size === 2 ? { question, candidates } : undefined;
}

/** Asks the model about the questions that the file does not know, and keeps the answers there. */
async function measured(model: LogprobModel, name: string, questions: readonly Asked[]): Promise<Asked[]> {
  const file = join(flags.cache, `${name}${method === 'question' ? '' : `-${method}`}.json`);
  const known: Record<string, Record<string, number>> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  const shaper = createShaper({
    ...RANK_ONLY,
    ecs: {
      model,
      withoutAnswer: method === 'judge' ? method : 'question',
      trust: 'always',
      share: 0,
      rounds: 1,
      maxCandidates: CANDIDATES,
    },
  });
  for (const [at, { question, candidates }] of questions.entries()) {
    if (flags.known || known[question.id] !== undefined) continue;
    const { report } = await shaper.shape({
      query: {
        text: question.question,
        history: name === WITHOUT_HISTORY ? undefined : question.history,
        ...(method === 'answer' ? { answer: question.answers[0] ?? question.reply } : {}),
      },
      chunks: candidates.map(({ chunk }) => chunk),
    });
    if (report.degradations.length > 0) console.error(report.degradations);
    known[question.id] = Object.fromEntries(report.kept.map(({ id, utility }) => [id, utility as number]));
    writeFileSync(file, JSON.stringify(known));
    console.error(`${name} ${at + 1}/${questions.length}: ${report.ecs?.usage.tokens} tokens`);
  }
  return questions.flatMap(({ question, candidates }) => {
    const own = known[question.id];
    if (own === undefined) return [];
    return [{ question, candidates: candidates.map((each) => ({ ...each, utility: own[each.chunk.id] })) }];
  });
}

const blended = (candidates: readonly Candidate[], share: number) =>
  blend(
    candidates.map(({ relevance, utility }) => ({ relevance, utility })),
    share,
    method,
  );

async function scoresOf({ question, candidates }: Asked, share: number): Promise<number[]> {
  const relevance = blended(candidates, share);
  const line = [...candidates.keys()].toSorted((a, b) => (relevance[b] as number) - (relevance[a] as number));
  const ids = line.map((at) => (candidates[at] as Candidate).chunk.id);
  const relevant = candidates.filter(({ isRelevant }) => isRelevant).map(({ chunk }) => chunk.id);
  const first = ids.findIndex((id) => relevant.includes(id));
  return [
    Number(first === 0),
    1 / (first + 1),
    ndcgAt(10, relevant, ids),
    await evidenceKept(question, candidates, relevance, relevant),
  ];
}

/** The share of answers, or else of relevant chunks, that a tenth of the tokens keeps. */
async function evidenceKept(
  question: Case,
  candidates: readonly Candidate[],
  relevance: readonly number[],
  relevant: readonly string[],
): Promise<number> {
  const chunks = candidates.map(({ chunk }) => chunk);
  const tokens = chunks.reduce((sum, { text }) => sum + countTokensO200k(text), 0);
  const shaper = createShaper({
    ranked: false,
    tokenizer: countTokensO200k,
    budget: { maxTokens: Math.floor(tokens / 10) },
    stages: (defaults) =>
      defaults.flatMap((stage) =>
        stage.name === 'select'
          ? [
              {
                specificationVersion: 'v1' as const,
                name: 'by-utility',
                run: ({ candidates: all }) => ({
                  kept: all.map((each) => withRelevance(each, relevance[each.index] as number)),
                }),
              },
              stage,
            ]
          : [stage],
      ),
  });
  const kept: readonly Kept[] = (await shaper.shape({ query: question.question, chunks })).chunks;
  if (question.answers.length > 0) return answersKept(question, kept);
  return mean(relevant.map((id) => Number(kept.some((each) => each.id === id))));
}

const short = (value: number) => value.toFixed(3).replace(/^0/, '');
const percent = (share: number) => `share ${share}`;

function rankingTables(bySet: ReadonlyMap<string, { values: number[][][]; groups: string[] }>): void {
  /** Mean of a measure over sets, by share, without one set. */
  const best = (without: string) => {
    const others = [...bySet].filter(([name]) => name !== without);
    const means = SHARES.map((_, at) =>
      mean(others.map(([, { values }]) => mean(values[at]?.map((row) => row[1] as number) ?? []))),
    );
    return means.indexOf(Math.max(...means));
  };
  for (const [name, { values, groups }] of bySet) {
    console.log(`\n## ${name}, ${groups.length} questions\n`);
    console.log(`| | ${COUNTED.join(' | ')} |\n|---|${COUNTED.map(() => '---:|').join('')}`);
    for (const [at, share] of SHARES.entries()) {
      const title = share === 0 ? 'relevance' : share === 1 ? 'utility' : percent(share);
      const cells = COUNTED.map((_, of) => short(mean((values[at] ?? []).map((row) => row[of] as number))));
      console.log(`| ${title} | ${cells.join(' | ')} |`);
    }
    const chosen = best(name);
    const differences = COUNTED.map(
      (_, of): Estimate =>
        estimate(
          groups.map((__, q) => (values[chosen]?.[q]?.[of] as number) - (values[0]?.[q]?.[of] as number)),
          groups,
        ),
    );
    console.log(
      `| ${percent(SHARES[chosen] as number)}, chosen on the other sets, minus relevance | ${differences.map(signed).join(' | ')} |`,
    );
  }
}

/** A model that gives the measured utilities again, by question and passage. */
function replayed(all: readonly Asked[]): LogprobModel {
  const byQuestion = new Map(all.map((each) => [each.question.question, each.candidates]));
  return {
    identify: async () => 'measured before',
    nextTokens: () => Promise.reject(new Error('Nothing is generated.')),
    score: async (requests) => ({
      usage: { requests: 1 },
      results: requests.map(({ prompt, continuation }) => {
        const candidates = byQuestion.get(continuation.trim()) ?? [];
        const { utility = 0 } = candidates.find(({ chunk }) => prompt.includes(onOneLine(chunk.text))) ?? {};
        const logprob = utility - CERTAIN;
        return { tokens: [{ text: continuation, logprob }], logprob, exact: true };
      }),
    }),
  };
}
/** Above all measured utilities, so that no logarithm of a probability is positive. */
const CERTAIN = 1000;

/** The gate's verdict on the model, and on one whose utilities are those of other passages. */
async function gateTable(bySet: ReadonlyMap<string, readonly Asked[]>): Promise<void> {
  console.log(
    '\n## Verdicts of evaluate --fit\n\n| set | utilities | questions | gain of nDCG | trusted |\n|---|---|---:|---|---|',
  );
  for (const [name, all] of bySet) {
    if (new Set(all.map(({ question }) => question.group)).size < LEAST_QUESTIONS) continue;
    const shifted = all.map(({ question, candidates }, at) => {
      const others = all[(at + 1) % all.length]?.candidates ?? [];
      const own = candidates.map((each, place) => ({
        ...each,
        utility: others[place % others.length]?.utility,
      }));
      return { question, candidates: own };
    });
    for (const [title, asked] of [['measured', all] as const, ['of the next question', shifted] as const]) {
      const { figures } = await fitModels({
        cases: asked.map(({ question, candidates }) => ({
          query: question.question,
          group: question.group,
          chunks: candidates.map(({ chunk }) => chunk),
          evidence: { ids: candidates.flatMap(({ isRelevant, chunk }) => (isRelevant ? [chunk.id] : [])) },
        })),
        methods: ['question'],
        options: {
          ranked: false,
          ecs: { model: replayed(asked), maxCandidates: CANDIDATES, maxPassageTokens: 1e5 },
        },
      });
      const { questions = 0, gainOverRelevance, wins, share } = figures.question ?? {};
      const gain = `${gainOverRelevance?.mean.toFixed(3)}, share ${share}`;
      console.log(`| ${name} | ${title} | ${questions} | ${gain} | ${wins ? 'yes' : 'no'} |`);
    }
  }
}

const POISON = 'attack-';
/** The passages of so many questions are the collection for MS MARCO's attacks. */
const COLLECTION = 800;
const firstOf = (dataset: Dataset | undefined, count: number) =>
  dataset && { ...dataset, cases: dataset.cases.slice(0, count) };

/** Ten passages and five attacks on each question. */
function poisoned(): Map<string, Case[]> {
  const collectionOf = (dataset: Dataset | undefined) => [
    ...new Map(
      (dataset?.cases ?? []).flatMap(({ chunks }) => chunks).map((each) => [each.text, each]),
    ).values(),
  ];
  const attacked = (question: string, texts: readonly string[]): Chunk[] =>
    texts.slice(0, 5).map((text, at) => ({ id: `${POISON}${at}`, ...ECHO.of(question, text, at) }));
  const withTruth = loadPoisonedQuestions(flags.data).cases.map(({ case: each, texts }): Case => {
    const isTrue = ({ id }: Chunk) => each.relevant.includes(id);
    const truth = each.chunks.filter(isTrue);
    const others = each.chunks.filter((chunk) => !isTrue(chunk)).slice(0, 10 - truth.length);
    return { ...each, chunks: [...truth, ...others, ...attacked(each.question, texts)] };
  });
  const besideOthers = (set: string, pool: readonly Chunk[]) =>
    (loadPoisonedRag(flags.data).get(set) ?? [])
      .slice(0, flags.poison)
      .map(({ question, texts }, at): Case => {
        const id = `${set}-${at}`;
        const chunks = bestByWords(question, pool, 10).map((each, place) => ({ ...each, id: `c${place}` }));
        const all = [...chunks, ...attacked(question, texts)];
        return { id, group: id, question, chunks: all, relevant: [], answers: [], facts: [] };
      });
  return new Map([
    ['nq', withTruth.slice(0, flags.poison)],
    ['hotpotqa', besideOthers('hotpotqa', collectionOf(loadHotpot(flags.data)))],
    ['msmarco', besideOthers('msmarco', collectionOf(firstOf(loadNaturalQuestions(flags.data), COLLECTION)))],
  ]);
}

async function poisonTable(model: LogprobModel): Promise<void> {
  console.log('\n## Poison among the best five\n');
  console.log(
    `| set | questions | ${SHARES.map(percent).join(' | ')} |\n|---|---:|${SHARES.map(() => '---:|').join('')}`,
  );
  for (const [name, cases] of poisoned()) {
    const asked = await Promise.all(
      cases.map(async (question) => {
        const { report } = await createShaper(RANK_ONLY).shape({
          query: question.question,
          chunks: [...question.chunks],
        });
        const candidates = report.kept.map(
          ({ id, index, relevance = 0 }): Candidate => ({
            chunk: question.chunks[index] as Chunk,
            relevance,
            isRelevant: question.relevant.includes(id),
          }),
        );
        return { question, candidates };
      }),
    );
    const all = await measured(model, `poison-${name}`, asked);
    const cells = SHARES.map((share) => {
      const five = all.map(({ candidates }) => {
        const relevance = blended(candidates, share);
        return [...candidates.keys()]
          .toSorted((a, b) => (relevance[b] as number) - (relevance[a] as number))
          .slice(0, 5)
          .map((at) => candidates[at] as Candidate);
      });
      const attacks = mean(
        five.map((best) => best.filter(({ chunk }) => chunk.id.startsWith(POISON)).length),
      );
      const truth = mean(five.map((best) => Number(best.some(({ isRelevant }) => isRelevant))));
      return `${attacks.toFixed(2)}, truth ${truth.toFixed(2)}`;
    });
    console.log(`| ${name} | ${all.length} | ${cells.join(' | ')} |`);
  }
}

const { getLlama } = await import('node-llama-cpp');
const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, maxThreads: 1 });
await using model = await nodeLlamaCpp({ model: await llama.loadModel({ modelPath: flags.gguf }) });
const bySet = new Map<string, { values: number[][][]; groups: string[] }>();
const askedOf = new Map<string, readonly Asked[]>();
for (const [name, load] of Object.entries(SETS)) {
  if (flags.sets?.includes(name) === false) continue;
  const asked: Asked[] = [];
  for (const question of spread(load(flags.data)?.cases ?? [], SAMPLE)) {
    // The questions are the same for all methods. Those of conversations have no known answer.
    const { answers, reply, history } = question;
    if (answers.length === 0 && reply === undefined && history === undefined) continue;
    const found = await candidatesOf(question);
    if (found !== undefined) asked.push(found);
  }
  // In steps, so that the first ones of a shorter run are spread, too.
  const some = asked.map((_, at) => asked[(at * STEP) % asked.length] as Asked).slice(0, flags.limit);
  const all = await measured(model, name, some);
  askedOf.set(name, all);
  const values = await Promise.all(
    SHARES.map((share) => Promise.all(all.map((each) => scoresOf(each, share)))),
  );
  bySet.set(name, { values, groups: all.map(({ question }) => question.group) });
}
rankingTables(bySet);
if (method === 'question') {
  await gateTable(askedOf);
  if (flags.sets?.includes('poison') !== false) await poisonTable(model);
}
await llama.dispose();
