import type { GeneratedText, ScoredToken } from '../../src/index.js';

/** A token and the logarithm of its probability. */
export type Scored = readonly [id: number, logprob: number];

/** Tokens as they come, with what they add to the text: half a character adds nothing, its end all of it. */
export class Transcript {
  readonly #tokens: ScoredToken[] = [];
  readonly #decoder = utf8();
  #text = '';

  /** @param pieceOf what a token adds to a text. */
  constructor(readonly pieceOf: (id: number) => Uint8Array) {}

  /** @param top the most probable ones at this place, best first; absent where they are not to be told. */
  add([id, logprob]: Scored, top?: readonly Scored[]): void {
    const text = this.#decoder.decode(this.pieceOf(id), { stream: true });
    this.#text += text;
    const alternatives = top?.map(([other, itsLogprob]) => ({
      text: utf8().decode(this.pieceOf(other)),
      id: other,
      logprob: itsLogprob,
    }));
    this.#tokens.push({ text, id, logprob, ...(alternatives === undefined ? {} : { top: alternatives }) });
  }

  holds(stops: readonly string[]): boolean {
    return this.#firstOf(stops) < Number.POSITIVE_INFINITY;
  }

  /** The text before the first of the stops, and the tokens that begin before it. Nothing is added afterwards. */
  upTo(stops: readonly string[]): GeneratedText {
    const cutOff = this.#decoder.decode();
    const last = this.#tokens.at(-1);
    if (last !== undefined) last.text += cutOff;
    this.#text += cutOff;
    const end = this.#firstOf(stops);
    let start = 0;
    const tokens = this.#tokens.filter(({ text }) => {
      const isBefore = start < end;
      start += text.length;
      return isBefore;
    });
    return { text: this.#text.slice(0, end), tokens };
  }

  #firstOf(stops: readonly string[]): number {
    const places = stops.filter((stop) => stop !== '').map((stop) => this.#text.indexOf(stop));
    return Math.min(Number.POSITIVE_INFINITY, ...places.filter((place) => place >= 0));
  }
}

const utf8 = () => new TextDecoder('utf-8', { ignoreBOM: true });
