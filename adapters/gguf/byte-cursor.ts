import { malformed } from './errors.js';

/** Bytes: more than any chat template needs, and less than the limit of strings. */
const LONGEST_TEXT = 2 ** 24;

/** Reads values one after another. If the file ends too early, the error names the field. */
export class ByteCursor {
  readonly view: DataView;
  /** The next byte that is read. */
  position = 0;
  readonly #bytes: Uint8Array;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #field = '';

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Sets the name of the next field, for errors. */
  at(field: string): this {
    this.#field = field;
    return this;
  }

  /** The number of unread bytes. */
  get left(): number {
    return this.#bytes.length - this.position;
  }

  take<T>(bytes: number, read: (view: DataView, at: number) => T): T {
    if (bytes > this.left) {
      throw malformed(
        this.#field,
        this.#bytes.length,
        `is cut off: the file ends ${bytes - this.left} bytes early`,
      );
    }
    const value = read(this.view, this.position);
    this.position += bytes;
    return value;
  }

  uint32(): number {
    return this.take(4, (view, at) => view.getUint32(at, true));
  }

  /** An unsigned 64-bit number: a count or a size. */
  size(): number {
    const size = Number(this.take(8, (view, at) => view.getBigUint64(at, true)));
    if (!Number.isSafeInteger(size)) throw malformed(this.#field, size, 'is too large');
    return size;
  }

  /** A text: its length in bytes, then its bytes. */
  text(): string {
    const length = this.size();
    if (length > LONGEST_TEXT) throw malformed(this.#field, length, `has more than ${LONGEST_TEXT} bytes`);
    return this.take(length, (_, at) => this.#decoder.decode(this.#bytes.subarray(at, at + length)));
  }
}
