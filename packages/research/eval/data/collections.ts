/** The sets in which each question is asked of a whole collection. */
import type { Chunk } from 'context-shaping';
import type { Case, Dataset } from './case.js';
import { loadMtragUn } from './mtrag-un.js';
import { loadHotpot, loadMusique } from './multihop.js';
import { loadNaturalQuestionsCollection } from './nq.js';
import { loadRamdocs } from './ramdocs.js';
import { loadXquad, xquadLanguages } from './xquad.js';

export interface Collection {
  name: string;
  /** Collections of one family are of the same questions. */
  family: 'NQ' | 'XQuAD' | 'RAMDocs' | 'MTRAG-UN' | 'MuSiQue' | 'HotpotQA';
  dataset: Dataset;
}

/** Those that are there. Of the two whose questions have a pool each, the pools together are the collection. */
export function collectionsOf(dataDir: string): Collection[] {
  const collection = (family: Collection['family'], dataset: Dataset | undefined, name: string = family) =>
    dataset === undefined ? [] : [{ name, family, dataset }];
  const ofPools = (dataset: Dataset | undefined) =>
    dataset && { ...dataset, cases: inOneCollection(dataset.cases) };
  return [
    ...collection('NQ', loadNaturalQuestionsCollection(dataDir)),
    ...xquadLanguages(dataDir).flatMap((language) =>
      collection('XQuAD', loadXquad(dataDir, language), `XQuAD ${language}`),
    ),
    ...collection('RAMDocs', loadRamdocs(dataDir)),
    ...collection('MTRAG-UN', loadMtragUn(dataDir)),
    ...collection('MuSiQue', ofPools(loadMusique(dataDir))),
    ...collection('HotpotQA', ofPools(loadHotpot(dataDir))),
  ];
}

/** The cases with the chunks of all of them as the collection of each: equal texts are one chunk. */
export function inOneCollection(cases: readonly Case[]): Case[] {
  const byText = new Map<string, Chunk>();
  const idsOf = new Map<Case['chunks'], Map<string, string>>();
  for (const { chunks } of cases) {
    if (idsOf.has(chunks)) continue;
    const ids = new Map<string, string>();
    idsOf.set(chunks, ids);
    for (const chunk of chunks) {
      const known = byText.get(chunk.text) ?? { ...chunk, id: `c${byText.size}` };
      byText.set(chunk.text, known);
      ids.set(chunk.id, known.id);
    }
  }
  const collection = [...byText.values()];
  return cases.map((each): Case => {
    const renamed = (id: string) => idsOf.get(each.chunks)?.get(id) ?? id;
    return {
      ...each,
      chunks: collection,
      relevant: [...new Set(each.relevant.map(renamed))],
      facts: each.facts.map((fact) => ({ ...fact, chunk: renamed(fact.chunk) })),
    };
  });
}
