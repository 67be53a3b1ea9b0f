/** How far the tests are, in logs, and which files took longest. On a terminal, vitest shows the first by itself. */
import type { Reporter, TestModule } from 'vitest/node';

const SLOWEST = 25;

export default class Progress implements Reporter {
  #files = 0;
  #done: { file: string; seconds: number }[] = [];

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#files = specifications.length;
  }

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration } = module.diagnostic();
    this.#done.push({ file: module.relativeModuleId, seconds: (collectDuration + duration) / 1000 });
    if (this.#done.length % 10 === 0) console.log(`   ${this.#done.length} of ${this.#files} files`);
  }

  onTestRunEnd(): void {
    const slowest = this.#done.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    console.log(
      slowest.map(({ file, seconds }) => `   ${seconds.toFixed(0).padStart(4)} s  ${file}`).join('\n'),
    );
  }
}
