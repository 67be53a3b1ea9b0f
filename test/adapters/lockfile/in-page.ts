/** Bundled for the runtime that replays. */
import { gptTokenizer } from 'context-shaping/gpt-tokenizer';
import { openLockfile, parseLockfile } from 'context-shaping/lockfile';

/** The digests that this runtime finds, in order. A lockfile that cannot be replayed gives the message of the error. */
export async function replayAll(texts: readonly string[]): Promise<string[]> {
  await gptTokenizer('o200k_base');
  await gptTokenizer('cl100k_base');
  const digests: string[] = [];
  for (const text of texts) {
    try {
      digests.push((await openLockfile(parseLockfile(text)).at()).report.digest);
    } catch (error) {
      digests.push(String(error));
    }
  }
  return digests;
}

const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]{1,256}/gu;

/** How this runtime divides the scripts without spaces into words, by its dictionaries. */
export function segmentAll(texts: readonly string[]): string[] {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  return texts.map((text) =>
    Array.from(text.normalize('NFKC').matchAll(WITHOUT_SPACES), ([run]) =>
      Array.from(segmenter.segment(run), ({ segment }) => segment).join('|'),
    ).join('\n'),
  );
}
