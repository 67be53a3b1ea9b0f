/** How far the tests are, in logs. On a terminal, vitest shows it by itself. */
import type { Reporter } from 'vitest/node';

export default class Progress implements Reporter {
  #files = 0;
  #done = 0;

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#files = specifications.length;
  }

  onTestModuleEnd(): void {
    this.#done++;
    if (this.#done % 10 === 0) console.log(`   ${this.#done} of ${this.#files} files`);
  }
}
