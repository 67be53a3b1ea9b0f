/** The alerts of the page about the service. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask, service } from './support.js';

test('name metrics that a service has', async () => {
  const page = readFileSync('docs/guide/service.md', 'utf8');
  const alerts = page.slice(page.indexOf('are worth an alert'));
  const names = new Set(alerts.match(/\b(?:context_shaping|nodejs|process)_\w+/g));
  expect(names.size).toBeGreaterThan(5);
  const { app } = await service();
  await app.inject({ method: 'POST', url: '/v1/shape', payload: ask('Who?', 'Ann.') });
  const { body } = await app.inject('/metrics');
  for (const name of names)
    expect(body).toMatch(new RegExp(`^# TYPE ${name.replace(/_(?:bucket|count)$/, '')} `, 'm'));
});
