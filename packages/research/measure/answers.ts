/**
 * How probable a language model finds the answer, given the context of each method: `npm run research -- measure/answers --data
 * DIR --gguf MODEL.gguf --model DIR --cache FOLDER [--limit 60]`.
 *
 * The lists are the best 50 passages of whole collections by vectors of the embedding model `--model`, at a tenth of their
 * tokens. The value is ln P(answer | context, question) in nats, minus that of whole chunks in the order of the list. The
 * bounds are the passages with the evidence alone, and no context. Values are kept in the folder, so a run that was stopped
 * goes on. It needs node-llama-cpp and `@huggingface/transformers` beside the package.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { nodeLlamaCpp } from 'context-shaping/logprobs';
import { plainPrompt } from '../../../src/ecs/prompt.js';
import { estimate, mean } from '../../devtools/src/measurement/index.js';
import type { Kept } from '../eval/metrics.js';
import { REAL_SETS, type RealList, realLists } from '../eval/real-lists/lists.js';
import { oursWhole, oursWithout, oursWithVectors, RIVALS } from '../eval/real-lists/methods.js';
import { keptIn, loadModel } from '../eval/real-lists/vectors.js';
import { poolOf, sentenceCosines } from '../eval/suites/real-lists.js';
import { signed } from '../eval/tables.js';
import { countTokensO200k as countTokens } from '../eval/tokens.js';

const flags = new Command('measure/answers')
  .requiredOption('--data <folder>')
  .requiredOption('--gguf <file>', 'the language model')
  .requiredOption('--model <folder>', 'the embedding model')
  .requiredOption('--cache <folder>', 'where vectors and values are kept')
  .option('--limit <questions>', 'of each set', Number, 60)
  .option('--sets <names...>', 'NQ and HotpotQA, if it is absent')
  .parse()
  .opts<{
    data: string;
    gguf: string;
    model: string;
    cache: string;
    limit: number;
    sets?: string[];
  }>();

/** The share of the tokens is 1 / PART. */
const PART = 10;
/** Sets with short answers that stand in the passages. */
const SETS = ['NQ', 'HotpotQA'];
const PLAIN = 'plain';
const METHODS = [
  PLAIN,
  'naive sentences',
  'naive, cosines as prior',
  'sentences by cosine',
  'ours, nothing said',
  'ours, vectors',
  'ours, whole chunks',
];
const BOUNDS = ['evidence alone', 'no context'];

const { getLlama } = await import('node-llama-cpp');
const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true });
await using model = await nodeLlamaCpp({ model: await llama.loadModel({ modelPath: flags.gguf }) });
const embedding = keptIn(flags.cache, await loadModel(flags.model));
const file = join(flags.cache, 'answers.json');
const known: Record<string, number> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

async function logprobOf(context: readonly string[], question: string, answer: string): Promise<number> {
  const prompt = plainPrompt({ context, question });
  const key = createHash('sha256')
    .update(JSON.stringify([prompt, answer]))
    .digest('hex')
    .slice(0, 24);
  if (known[key] === undefined) {
    const { results } = await model.score([{ prompt, continuation: ` ${answer}` }]);
    const [found] = results;
    if (found === undefined || 'failure' in found) throw new Error(JSON.stringify(found));
    known[key] = found.logprob;
    writeFileSync(file, JSON.stringify(known));
  }
  return known[key] as number;
}

const all = [oursWithVectors(embedding.isStatic), ...oursWithout, oursWhole, ...RIVALS];
const asked = METHODS.map((name) => {
  const method = all.find((each) => each.name === name);
  if (method === undefined) throw new Error(`No method is named ${name}.`);
  return method;
});
const names = [...asked.map(({ name }) => name), ...BOUNDS];

/** By method: one value a question. */
async function valuesOf(lists: readonly RealList[], title: string): Promise<Map<string, number[]>> {
  const values = new Map(names.map((name): [string, number[]] => [name, []]));
  const cosineOf = await sentenceCosines(embedding, lists);
  for (const [seed, list] of lists.entries()) {
    const { question, chunks, relevant, answers } = list.found;
    const [answer] = answers;
    if (answer === undefined) continue;
    const pool = poolOf(list, embedding, cosineOf, seed);
    const total = chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
    const contexts = new Map<string, readonly string[]>([
      ['evidence alone', chunks.filter(({ id }) => relevant.includes(id)).map(({ text }) => text)],
      ['no context', []],
    ]);
    for (const method of asked) {
      const kept: Kept[] = await method.fit(pool, Math.floor(total / PART), countTokens);
      contexts.set(
        method.name,
        kept.map(({ text }) => text),
      );
    }
    for (const [name, context] of contexts)
      values.get(name)?.push(await logprobOf(context, question, answer));
    console.error(`${title} ${seed + 1}/${lists.length}`);
  }
  return values;
}

console.log(`| set | questions | ${PLAIN} | ${names.filter((name) => name !== PLAIN).join(' | ')} |`);
console.log(
  `|---|---:|---:|${names
    .slice(1)
    .map(() => '---|')
    .join('')}`,
);
for (const set of REAL_SETS.filter(({ name }) => (flags.sets ?? SETS).includes(name))) {
  const lists = await realLists(set, [embedding], { dataDir: flags.data, limit: flags.limit });
  const dense = lists?.filter(({ order }) => order === 'dense') ?? [];
  const values = await valuesOf(dense, set.name);
  const plain = values.get(PLAIN) ?? [];
  const cells = names
    .filter((name) => name !== PLAIN)
    .map((name) => {
      const differences = (values.get(name) ?? []).map((value, at) => value - (plain[at] as number));
      return signed(
        estimate(
          differences,
          differences.map((_, at) => String(at)),
        ),
      );
    });
  console.log(`| ${set.name} | ${plain.length} | ${mean(plain).toFixed(1)} | ${cells.join(' | ')} |`);
}
await llama.dispose();
