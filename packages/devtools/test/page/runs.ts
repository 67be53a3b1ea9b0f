/** Recorded contexts for the inspector's page. */
import { type Chunk, createShaper, type ShapingOptions } from 'context-shaping';
import { type ContextLockfile, recordContext } from 'context-shaping-devtools/lockfile';
import { chunks, embedded, question } from '../../../../test/pool.js';

export const record = (
  given: readonly Chunk[],
  options: ShapingOptions = {},
  query = question,
): Promise<ContextLockfile> => recordContext(createShaper(options).session({ query, chunks: given }));

/** A pool with copies and conflicts, under a budget that cuts some of its chunks. */
export const cut = (): Promise<ContextLockfile> => record(chunks, { budget: { maxTokens: 160 } });

/** The same with vectors. */
export const withVectors = (): Promise<ContextLockfile> => record(embedded, { budget: { maxTokens: 200 } });

/** As many chunks, of three sentences each, about two hundred parcels. */
export const parcels = (count: number): Chunk[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `notes/${at}.md`,
    text: `Parcel ${at} left harbour ${at % 7} on day ${(at * 13) % 29}. The bridge to depot ${at % 11} was ${at % 3 === 0 ? 'open' : 'closed'} for ${at % 17} hours. ${['Two drivers', 'Nobody', 'The clerk'][at % 3]} signed for it in year ${1900 + ((at * 7) % 60)}.`,
    score: 1 - at / (2 * count),
    metadata: { source: `notes/${at % 9}` },
  }));

/** Texts that attack the page or its reader. */
export const HOSTILE: Chunk[] = [
  {
    id: 'ends</script><img src=x onerror=alert(1)>',
    text: 'Return it within 30 days. </script><script>alert("text")</script><img src=x onerror=alert(2)><style>*{display:none}</style>',
    metadata: { source: '"><svg onload=alert(3)>' },
  },
  { id: 'comment', text: '<!-- <script> Return it within 30 days of the order. ]]> <!--' },
  {
    id: 'turned',
    text: 'Return it in \u202e03\u202c days. \u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd. Order \u2066now\u2069.',
  },
  {
    id: 'un\u200bseen',
    text: 'Return the order\u200b\u200b\u200b within \u{e0049}\u{e0067}\u{e006e}30 days.\u0000\u0007',
  },
  {
    id: 'long',
    text: `Return the order within 30 days. ${'The shop writes a very long text about nothing. '.repeat(22_000)}`,
  },
  { id: 'one-word', text: `Return ${'x'.repeat(20_000)} days` },
];
