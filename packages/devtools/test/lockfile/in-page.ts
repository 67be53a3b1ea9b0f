/** Bundled for the runtime that replays. */
import { openLockfile, parseLockfile } from 'context-shaping-devtools/lockfile';
import { countTokens as countByCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countByO200k } from 'gpt-tokenizer/encoding/o200k_base';
import * as constants from 'gpt-tokenizer/encodingParams/constants';
import { exactCounter } from '../../../../src/tokens/tokenizers.js';

/** The digests that this runtime finds, in order. A lockfile that cannot be replayed gives the message of the error. */
export async function replayAll(texts: readonly string[]): Promise<string[]> {
  // The lockfiles name the encodings, and a bundle has no package to load them from.
  exactCounter('o200k_base', { countTokens: countByO200k, constants });
  exactCounter('cl100k_base', { countTokens: countByCl100k, constants });
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
