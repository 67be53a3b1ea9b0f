/** The schema of the option `inspect`. */
import * as z from 'zod';

export const inspectSchema = z.strictObject({
  last: z.int().min(1).max(1000).default(50).describe('Number of runs to keep.'),
  texts: z
    .boolean()
    .default(false)
    .describe(
      'Keeps the chunks, and what services answered, too, so that the page shows texts and shapes again. Each request is then shaped twice.',
    ),
  maxBytes: z
    .int()
    .min(1)
    .default(16 * 2 ** 20)
    .describe('Maximum bytes of the runs that are kept; a larger run is not kept.'),
  seeAll: z
    .array(z.string())
    .default([])
    .describe(
      'Names of API keys that see the runs of all keys. Other keys see the runs of their own requests.',
    ),
});

export type InspectSettings = z.output<typeof inspectSchema>;
