/**
 * Our outputs in the form that public evaluators read, so that anyone can score them:
 * `npm run research -- measure/leaderboards --data DIR --out FOLDER [--limit QUESTIONS]`. Both evaluators work offline.
 *
 * - **LogDx**: contexts of failed runs of continuous integration, with a manifest for each budget, in the folders of its repository.
 *   `FOLDER/logdx` is copied over a clone of it, at commit b958762, and there
 *   `python3 tools/evaluate_signal_recall.py --split SPLIT --method METHOD` scores a method.
 * - **TREC**: a run file for each set and method, and the judgements, for `trec_eval -m ndcg_cut.10 -m recall.10 QRELS RUN`, or for
 *   `pytrec_eval`. Chunks are ranked by the relevance of the ledger.
 *
 * It prints our own figures of the same outputs, to compare them with those of the evaluators.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createShaper } from 'context-shaping';
import { shapeToolResult } from 'context-shaping-agents';
import { descending } from '../../devtools/src/measurement/index.js';
import type { Case, Dataset } from '../eval/data/case.js';
import { loadClapNq } from '../eval/data/clapnq.js';
import { loadLogDx } from '../eval/data/logdx.js';
import { loadMtragUn } from '../eval/data/mtrag-un.js';
import { loadXquad } from '../eval/data/xquad.js';
import { foundCase, overfetch, type RankedList } from '../eval/overfetch.js';
import { CUED, signalsKept } from '../eval/suites/logs.js';
import { limited } from '../eval/suites/suite.js';

const { values } = parseArgs({
  options: { data: { type: 'string' }, out: { type: 'string' }, limit: { type: 'string', default: '200' } },
});
const { data, out, limit } = values;
if (data === undefined || out === undefined) throw new Error('Name the folders: --data DIR --out FOLDER.');

const LOG_BUDGETS = [1000, 3500, 6100, 20_000];
const RETRIEVED = 60;
const DEPTH = 10;

const SETS: readonly { name: string; load(dataDir: string): Dataset | undefined }[] = [
  { name: 'clapnq', load: loadClapNq },
  { name: 'mtrag-un', load: loadMtragUn },
  { name: 'xquad-en', load: (dir) => loadXquad(dir, 'en') },
];

function write(path: string, text: string): void {
  const file = join(out as string, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const meanOf = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;

/** One manifest and one context for each log. Their cases of version 2 are in a split of their own. */
async function logs(dataDir: string): Promise<void> {
  const runs = loadLogDx(dataDir) ?? [];
  for (const maxTokens of LOG_BUDGETS) {
    for (const [name, query] of [
      ['plain', undefined],
      ['cued', CUED],
    ] as const) {
      const method = `context-shaping-${name}-${maxTokens}`;
      const shares = new Map<string, number[]>();
      const rows = new Map<string, object[]>();
      for (const { id, log, signals } of runs) {
        const { content } = await shapeToolResult({
          content: log,
          maxTokens,
          query,
          tokenizer: 'o200k_base',
        });
        const split = id.includes('-v2-') ? 'v2/dev' : 'dev';
        const path = `results/${split}/${method}/${id}.txt`;
        write(`logdx/${path}`, content);
        rows.set(split, [...(rows.get(split) ?? []), manifestRow({ id, method, split, path, log, content })]);
        shares.set(split, [...(shares.get(split) ?? []), signalsKept(content, { signals })]);
      }
      for (const [split, all] of rows) {
        write(
          `logdx/results/${split}/${method}.jsonl`,
          all.map((row) => `${JSON.stringify(row)}\n`).join(''),
        );
        const share = meanOf(shares.get(split) as number[]);
        console.log(`LogDx ${split} ${method}: ${share.toFixed(4)} of the critical signals`);
      }
    }
  }
}

function manifestRow({
  id,
  method,
  split,
  path,
  log,
  content,
}: Record<'id' | 'method' | 'split' | 'path' | 'log' | 'content', string>) {
  const [input, output] = [Buffer.byteLength(log), Buffer.byteLength(content)];
  return {
    ...{ case_id: id, method, mode: 'context_provider' },
    ...{ raw_log_path: `cases/${split}/${id}/raw.log`, context_path: path },
    ...{ input_line_count: log.split('\n').length, output_line_count: content.split('\n').length },
    ...{ input_byte_size: input, output_byte_size: output },
    reduction_ratio: Number(Math.max(0, 1 - output / input).toFixed(6)),
    // Lines with the same beginning are written once, so the evaluator has to read the text.
    ...{ included_line_ranges: [], line_mapping_available: false, mapping_type: 'text', metadata: {} },
  };
}

/** Without a limit that not all chunks meet, none is ranked. */
const shaper = createShaper({ k: 1 });

/** The ids of a list, by the relevance that the ledger states. */
async function byRelevance(list: RankedList): Promise<string[]> {
  const { question, chunks, history } = foundCase(list);
  const query = { text: question, ...(history === undefined ? {} : { history }) };
  const { report } = await shaper.shape({ query, chunks, ranked: true });
  const known = new Map(
    [...report.kept, ...report.evicted].map(({ index, relevance }) => [index, relevance ?? 0]),
  );
  if (chunks.length > 1 && ![...known.values()].some((relevance) => relevance > 0))
    throw new Error('No relevance was measured.');
  return descending(chunks.map((_, at) => known.get(at) ?? 0)).map((at) => list.ids[at] as string);
}

/** Words without white space, as the files need. */
const word = (id: string) => encodeURIComponent(id);

async function runs(name: string, { cases }: Pick<Dataset, 'cases'>): Promise<void> {
  const lists = overfetch({ cases }, RETRIEVED).filter(({ ids }) => ids.length > 0);
  const rankings: Record<string, string[][]> = {
    bm25: lists.map(({ ids }) => [...ids]),
    'context-shaping': [],
  };
  for (const list of lists) rankings['context-shaping']?.push(await byRelevance(list));
  const judged = lists.flatMap(({ case: { id, relevant } }) =>
    [...new Set(relevant)].map((chunk) => `${word(id)} 0 ${word(chunk)} 1\n`),
  );
  write(`trec/${name}.qrels`, judged.join(''));
  for (const [method, all] of Object.entries(rankings)) {
    const lines = all.flatMap((ids, at) =>
      ids.map(
        (id, rank) =>
          `${word(lists[at]?.case.id as string)} Q0 ${word(id)} ${rank + 1} ${ids.length - rank} ${method}\n`,
      ),
    );
    write(`trec/${name}.${method}.run`, lines.join(''));
    const figures = all.map((ids, at) => figuresOf(ids, (lists[at] as RankedList).case));
    const [ndcg, recall] = [
      meanOf(figures.map((each) => each.ndcg)),
      meanOf(figures.map((each) => each.recall)),
    ];
    console.log(
      `TREC ${name} ${method}: nDCG@${DEPTH} ${ndcg.toFixed(4)}, recall@${DEPTH} ${recall.toFixed(4)}`,
    );
  }
}

/**
 * nDCG@k = Σ over relevant at rank r ≤ k of 1 / log2(r + 1), of that of the best order.
 *
 * Source: K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002.
 */
function figuresOf(ids: readonly string[], { relevant }: Case) {
  const wanted = new Set(relevant);
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const hits = ids.slice(0, DEPTH).map((id) => Number(wanted.has(id)));
  const best = Array.from({ length: Math.min(DEPTH, wanted.size) }, (_, rank) => gain(rank));
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
  return {
    ndcg: sum(hits.map((hit, rank) => hit * gain(rank))) / sum(best),
    recall: sum(hits) / wanted.size,
  };
}

await logs(data);
for (const { name, load } of SETS) {
  const dataset = load(data);
  if (dataset !== undefined) await runs(name, limited(dataset, Number(limit)));
}
