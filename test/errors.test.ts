import { ContextShapingError, createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';

/** The error of a call that fails. */
async function errorOf(call: () => unknown): Promise<ContextShapingError> {
  try {
    await call();
  } catch (error) {
    if (ContextShapingError.isInstance(error)) return error;
  }
  throw new Error('The call did not fail with a ContextShapingError.');
}

describe('renamed', () => {
  test('field, problem, remedy and message have the new names; kind, value, cause and frames stay', async () => {
    const cause = new Error('cause');
    const error = new ContextShapingError('service', {
      field: 'apiKey',
      value: 401,
      is: (name) => `is wrong, or ${name('headers')} are`,
      remedy: (name) => `Set ${name('apiKey')}.`,
      cause,
    });
    expect(error.message).toBe('apiKey is wrong, or headers are (got 401). Set apiKey.');
    const renamed = error.renamed((field) => `--${field}`);
    expect(renamed.message).toBe('--apiKey is wrong, or --headers are (got 401). Set --apiKey.');
    expect(renamed).toMatchObject({
      kind: 'service',
      field: '--apiKey',
      value: 401,
      remedy: 'Set --apiKey.',
    });
    expect(renamed.problem).toBe('is wrong, or --headers are');
    expect(renamed.cause).toBe(cause);
    expect(renamed.stack).toBe(error.stack?.replace(error.message, renamed.message));
    expect(ContextShapingError.isInstance(renamed)).toBe(true);
    // The original is unchanged, and a second renaming begins with the names of the first.
    expect(error.field).toBe('apiKey');
    expect(renamed.renamed((field) => `$${field}`).remedy).toBe('Set $--apiKey.');
  });

  test('the core names every field that its texts mention', async () => {
    const upper = (error: ContextShapingError) => error.renamed((field) => field.toUpperCase()).message;
    const budget = await errorOf(() => createShaper({ budget: { maxTokens: -1 } }));
    expect(upper(budget)).toMatch(/^BUDGET\.MAXTOKENS must .*Correct BUDGET\.MAXTOKENS/);
    const misplaced = await errorOf(() => createShaper({ maxTokens: 1 } as object));
    expect(upper(misplaced)).toMatch(/^MAXTOKENS is .*Did you mean BUDGET\.MAXTOKENS\?/);
    const chunks = [
      { id: 'a', text: 'one', embedding: [1] },
      { id: 'b', text: 'two', embedding: [1, 0] },
    ];
    const dimension = await errorOf(() => createShaper().shape({ query: 'q', chunks }));
    expect(upper(dimension)).toMatch(/^CHUNKS\[1\]\.EMBEDDING has another dimension than CHUNKS\[0\]\./);
  });
});

test('a long text is shown with its beginning, in quotes', () => {
  const error = new ContextShapingError('invalid-input', {
    field: 'id',
    value: 'x'.repeat(200),
    is: 'is too long',
    remedy: 'Shorten it.',
  });
  expect(error.message).toMatch(/^id is too long \(got "x{79}…"\)\. Shorten it\.$/);
  expect(error).not.toHaveProperty('cause');
});
