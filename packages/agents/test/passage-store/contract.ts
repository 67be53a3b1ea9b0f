/** Promises of every store of passages. */
import type { ClosablePassageStore } from 'context-shaping-agents/passage-store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** @param make a place that is new, and a function that opens it, also again. */
export function storeContract(
  name: string,
  make: () => Promise<{ open(): Promise<ClosablePassageStore> }>,
): void {
  describe(`the contract of a store: ${name}`, () => {
    test('it answers with the last written value, also when it is opened again', async () => {
      const entry = fc.tuple(
        fc.oneof(
          fc.constantFrom('a', 'b', 'c'),
          fc.string({ unit: 'grapheme' }).filter((key) => !key.includes('\0')),
        ),
        fc
          .oneof(
            fc.string({ unit: 'grapheme' }),
            fc.constantFrom('', '\n', '{"a":"\\u0000"}', 'ä€😀'.repeat(1000)),
          )
          .filter((value) => !value.includes('\0')),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(entry, { maxLength: 5 }), { maxLength: 6 }), async (writes) => {
          const { open } = await make();
          const expected = new Map<string, string>();
          let store = await open();
          for (const entries of writes) {
            await store.set(entries);
            for (const [key, value] of entries) expected.set(key, value);
            for (const [key, value] of expected) expect(await store.get(key)).toBe(value);
            await store.close();
            store = await open();
          }
          for (const [key, value] of expected) expect(await store.get(key)).toBe(value);
          expect(await store.get('never written')).toBeUndefined();
          await store.close();
        }),
        { numRuns: 40 },
      );
    });

    test('an aborted call rejects, and writes nothing', async () => {
      await using store = await (await make()).open();
      const signal = AbortSignal.abort(new Error('stopped'));
      await expect(store.set([['a', '1']], { signal })).rejects.toThrow('stopped');
      await expect(store.get('a', { signal })).rejects.toThrow('stopped');
      expect(await store.get('a')).toBeUndefined();
    });

    test('two users of one place see what the other wrote', async () => {
      const { open } = await make();
      await using one = await open();
      await using other = await open();
      await one.set([
        ['a', '1'],
        ['b', '2'],
      ]);
      await other.set([['b', '3']]);
      expect([await other.get('a'), await one.get('b')]).toEqual(['1', '3']);
    });

    test('many writes at once', async () => {
      const { open } = await make();
      await using one = await open();
      await using other = await open();
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => (at % 2 ? one : other).set([[`k${at}`, `v${at}`]])),
      );
      for (let at = 0; at < 50; at++) expect(await one.get(`k${at}`)).toBe(`v${at}`);
    });
  });
}
