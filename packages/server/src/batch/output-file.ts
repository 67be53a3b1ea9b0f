/** An output of a batch: a file that grows by whole lines, of which a checkpoint knows the safe part. */
import type { FileHandle } from 'node:fs/promises';
import { invalidOption, messageOf, openOwn, serviceError } from 'context-shaping/kit';

export class OutputFile {
  #bytes = 0;
  /** Lines that are not written yet, and their bytes. */
  readonly #lines: Uint8Array[] = [];
  waiting = 0;

  private constructor(
    readonly path: string,
    readonly handle: FileHandle,
  ) {}

  /**
   * Opens the file, and cuts it to its safe part.
   *
   * @throws ContextShapingError `invalid-options`: the file cannot be written, or its safe part is not there any more.
   */
  static async open(path: string, safe: number): Promise<OutputFile> {
    let handle: FileHandle;
    try {
      // In this mode every write goes to the end, also after the cut.
      handle = await openOwn(path, 'a+');
    } catch (cause) {
      throw invalidOption('out', path, `cannot be written: ${messageOf(cause)}`, 'Name another file.', cause);
    }
    const file = new OutputFile(path, handle);
    file.#bytes = safe;
    try {
      if ((await handle.stat()).size < safe) {
        const remedy = 'Restore the file, or begin anew with overwrite.';
        throw invalidOption('out', path, 'is shorter than when the batch was interrupted', remedy);
      }
      await handle.truncate(safe);
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Adds a line, which {@link store} writes. */
  add(line: Uint8Array): void {
    this.#lines.push(line);
    this.waiting += line.length;
  }

  /**
   * Writes the lines.
   *
   * @returns the bytes of the file, when all of it is safe on the disk.
   * @throws ContextShapingError `service`, for instance if the disk is full.
   */
  async store(): Promise<number> {
    const bytes = Buffer.concat(this.#lines.splice(0));
    this.waiting = 0;
    await storing(this.path, this.handle.appendFile(bytes));
    await storing(this.path, this.handle.sync());
    this.#bytes += bytes.length;
    return this.#bytes;
  }
}

/** @throws ContextShapingError `service`: the disk did not take what the work writes. */
export async function storing(path: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    const remedy = 'Nothing is lost: remove the cause, and run the same command again to go on.';
    throw serviceError('out', path, `cannot be written: ${messageOf(cause)}`, remedy, cause);
  }
}
