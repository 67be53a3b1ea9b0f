/** Every host runs the same conversation with real packages: the same requests, the same decisions, and nothing lost. */
import { describe, expect, test } from 'vitest';
import { CHECKS, conversation, declaredImage, foreignHandle, OPTION_SETS } from './conformance.js';
import { engineHost } from './engine-host.js';
import { HOSTS } from './hosts.js';

for (const [name, options] of Object.entries(OPTION_SETS)) {
  describe(name, () => {
    for (const host of HOSTS) {
      const title = `${host.name} ${host.version}${host.missing === undefined ? '' : ` (${host.missing})`}`;
      describe.skipIf(host.missing !== undefined)(title, () => {
        const runs = once(async () => ({
          run: await host.run(conversation(), options),
          expected: await engineHost().run(conversation(), options),
        }));
        for (const [check, problems] of Object.entries(CHECKS)) {
          test(check, async ({ skip }) => {
            const { run, expected } = await runs();
            const found = problems(run, expected);
            if (found === undefined) return skip('The host cannot show it.');
            expect(found).toEqual([]);
          });
        }
        test('a handle of another conversation reads nothing', async () => {
          expect(await foreignHandle(host, options)).toEqual([]);
        });
        test('an image is declared', async ({ skip }) => {
          const found = await declaredImage(host, options);
          if (found === undefined) return skip('The host takes no images.');
          expect(found).toEqual([]);
        });
      });
    }
  });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
