/** The costs of providers, by imitated servers: the table of the results. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { costTable, providerCosts } from '../../measure/provider-costs.js';

const PAGE = new URL('../../../../docs/results/utility.md', import.meta.url);

test('the page of results has the requests, tokens and cached tokens of each provider', async () => {
  const lines = costTable(await providerCosts(false)).split('\n');
  const told = readFileSync(PAGE, 'utf8').split('\n');
  expect(told.slice(told.indexOf(lines[0] as string)).slice(0, lines.length)).toEqual(lines);
});
