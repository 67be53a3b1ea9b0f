/**
 * Published attacks on retrieval: passages written to be found for a question and to answer it wrongly, and orders
 * to the model that are hidden in passages.
 *
 * Sources: W. Zou et al., "PoisonedRAG: Knowledge Corruption Attacks to Retrieval-Augmented Generation", 2024, whose
 * black-box attack puts the question in front of each passage; texts written without knowledge of the retriever
 * ("blind"), with the true passage beside them; S. Cho et al., "Typos that Broke the RAG's Back: Genetic Attack on RAG
 * Pipeline by Simulating Documents in the Wild via Low-level Perturbations" (GARAG), 2024; J. Yi et al., "Benchmarking and Defending Against Indirect Prompt
 * Injection Attacks on Large Language Models" (BIPIA), 2023.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { seededRandom, shuffled } from '../../../../test/random.js';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readJson, readLines } from './files.js';
import { loadNaturalQuestions } from './nq.js';

/** Texts that were written against one question. */
export interface Attack {
  question: string;
  texts: readonly string[];
}

/** A question over its pool, and the texts that were written against it. */
export interface PoisonedCase {
  case: Case;
  texts: readonly string[];
}

const poisonedRag = z.record(z.string(), z.object({ question: z.string(), adv_texts: z.array(z.string()) }));
const blindLine = z.object({ query: z.string(), ground_truth: z.string(), adversarial_document: z.string() });
const bipia = z.record(z.string(), z.array(z.string()));

/** PoisonedRAG's texts, without the question in front, by the name of the set they are against. */
export function loadPoisonedRag(dataDir: string): Map<string, Attack[]> {
  const files = filesOf(dataDir, 'poisonedrag', /^(nq|hotpotqa|msmarco)\.json$/);
  return new Map(
    files.map((file) => [
      /(\w+)\.json$/.exec(file)?.[1] as string,
      Object.values(readJson(file, poisonedRag)).map(({ question, adv_texts: texts }) => ({
        question,
        texts,
      })),
    ]),
  );
}

/** The questions of Natural Questions that PoisonedRAG attacks, word for word, each over its pool of 20. */
export function loadPoisonedQuestions(dataDir: string): { cases: PoisonedCase[]; counts: Dataset['counts'] } {
  const attacks = loadPoisonedRag(dataDir).get('nq') ?? [];
  const known = new Map(
    attacks.length === 0
      ? []
      : loadNaturalQuestions(dataDir)?.cases.map((each): [string, Case] => [each.question, each]),
  );
  const tally = new Tally();
  const cases = attacks.flatMap(({ question, texts }): PoisonedCase[] => {
    const attacked = known.get(question);
    tally.add(
      attacked === undefined ? 'attacks skipped, their question has no pool' : 'poisoned questions of NQ',
    );
    return attacked === undefined ? [] : [{ case: attacked, texts }];
  });
  return { cases, counts: tally.counts };
}

/**
 * Each question with its true passages, in a pool of the true passages of other questions of its file, drawn at
 * random. There is no answer in the data, so the passages themselves are the evidence.
 */
export function loadBlindPoison(dataDir: string, poolSize = 20): PoisonedCase[] {
  return filesOf(dataDir, 'blind-poison', /^blind-.*\.jsonl(\.gz)?$/).flatMap((file) =>
    casesOf(readLines(file, blindLine), file, poolSize),
  );
}

/** GARAG's questions, in pools like those of {@link loadBlindPoison}: the true passages with mistyped words are the attacks. */
export function loadGarag(dataDir: string, poolSize = 20): PoisonedCase[] {
  return filesOf(dataDir, 'garag', /^garag-.*\.json(\.gz)?$/).flatMap((file) =>
    casesOf(readJson(file, z.array(blindLine)), file, poolSize),
  );
}

function casesOf(
  items: readonly z.output<typeof blindLine>[],
  file: string,
  poolSize: number,
): PoisonedCase[] {
  const truths = [...new Set(items.map(({ ground_truth: truth }) => truth))];
  const chunkOf = (text: string): Chunk => ({ id: `t${truths.indexOf(text)}`, text });
  const set = /(?:blind|garag)-\w+(?=\.json)/.exec(file)?.[0];
  return [...new Set(items.map(({ query }) => query))].map((question, at): PoisonedCase => {
    const own = items.filter(({ query }) => query === question);
    const right = [...new Set(own.map(({ ground_truth: truth }) => truth))];
    const others = shuffled(
      truths.filter((text) => !right.includes(text)),
      seededRandom(at),
    ).slice(0, Math.max(0, poolSize - right.length));
    const id = `${set}-${at}`;
    const chunks = shuffled([...right, ...others].map(chunkOf), seededRandom(at + 1));
    const relevant = right.map((text) => chunkOf(text).id);
    return {
      case: { id, group: id, question, chunks, relevant, answers: [], facts: [] },
      texts: own.map(({ adversarial_document: text }) => text),
    };
  });
}

/** A passage that is true, and one that was written to answer the question wrongly. */
export interface BlindPair {
  question: string;
  truth: string;
  lie: string;
}

/** All pairs of the sets of {@link loadBlindPoison}. */
export function loadBlindPairs(dataDir: string): BlindPair[] {
  return filesOf(dataDir, 'blind-poison', /^blind-.*\.jsonl(\.gz)?$/).flatMap((file) =>
    readLines(file, blindLine).map(({ query: question, ground_truth: truth, adversarial_document: lie }) => ({
      question,
      truth,
      lie,
    })),
  );
}

/** Orders to the model, as BIPIA puts them into passages. */
export function loadInjections(dataDir: string): string[] {
  return filesOf(dataDir, 'injection', /^bipia-text-attacks.*\.json$/).flatMap((file) =>
    Object.values(readJson(file, bipia)).flat(),
  );
}
