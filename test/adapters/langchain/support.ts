/** Documents, retrievers and handlers that several tests share. The hosts themselves are the real ones. */
import type { CallbackManagerForRetrieverRun } from '@langchain/core/callbacks/manager';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { BaseRetriever } from '@langchain/core/retrievers';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { EvictedEvent } from 'context-shaping/langchain';
import { deepFreeze } from '../../support.js';

export const QUERY = 'When was the harbour bridge opened to traffic?';

const TEXTS = [
  'The harbour bridge was opened to traffic in May 1932 after seven years of work.',
  'Ferries still cross the bay every twenty minutes from the old wooden pier.',
  'THE HARBOUR BRIDGE was opened to traffic, in May 1932, after seven years of work!',
  'The bridge carries eight lanes of traffic, two railway tracks and a footpath.',
  'Painting the steel arch takes a crew of forty and about thirty thousand litres of paint.',
  'Opening day drew a crowd so large that trains stopped running before noon.',
];

/** Six documents: 0 and 2 are copies but for case and punctuation. */
export const harbour = (): Document[] =>
  TEXTS.map(
    (pageContent, place) =>
      new Document({
        pageContent,
        id: `h${place}`,
        metadata: { source: `harbour-${place}.md`, nested: { page: place } },
      }),
  );

export const frozenHarbour = (): Document[] => deepFreeze(harbour());

/** A retriever that always gives the same documents, and remembers its calls. */
export class FixedRetriever extends BaseRetriever {
  override lc_namespace = ['test'];
  readonly configs: RunnableConfig[] = [];
  constructor(
    readonly documents: DocumentInterface[],
    readonly work: () => Promise<unknown> = async () => undefined,
  ) {
    super();
  }
  override async invoke(query: string, options?: RunnableConfig) {
    this.configs.push(options ?? {});
    return super.invoke(query, options);
  }
  override async _getRelevantDocuments(_query: string, _runManager?: CallbackManagerForRetrieverRun) {
    await this.work();
    return this.documents;
  }
}

export interface Run {
  kind: 'chain' | 'retriever' | 'tool';
  name: string;
  id: string;
  parent: string | undefined;
  /** The promise of its end: `undefined` while it is open. */
  end?: 'ok' | 'error';
}

/** Handlers that write down the runs they see, and the custom events. */
export function recorder() {
  const runs: Run[] = [];
  const events: { name: string; data: EvictedEvent; runId: string }[] = [];
  /** @param at where the callback has the run's name; without one, the class's goes. */
  const start =
    (kind: Run['kind'], at: number) =>
    (...given: unknown[]) => {
      const [serialized, , id, parent] = given as [{ id: string[] }, unknown, string, string | undefined];
      runs.push({
        kind,
        name: (given[at] as string | undefined) ?? (serialized.id.at(-1) as string),
        id,
        parent,
      });
    };
  const end = (how: 'ok' | 'error') => (_: unknown, id: string) => {
    const run = runs.find((each) => each.id === id);
    if (run !== undefined) run.end = how;
  };
  const handler = {
    handleChainStart: start('chain', 7),
    handleChainEnd: end('ok'),
    handleChainError: end('error'),
    handleRetrieverStart: start('retriever', 6),
    handleRetrieverEnd: end('ok'),
    handleRetrieverError: end('error'),
    handleToolStart: start('tool', 6),
    handleToolEnd: end('ok'),
    handleToolError: end('error'),
    handleCustomEvent: (name: string, data: EvictedEvent, runId: string) =>
      void events.push({ name, data, runId }),
  };
  const named = (name: string) => runs.find((run) => run.name === name) as Run;
  return { runs, events, handler, named };
}
