/** Prints which host passes which check, as the table of `docs/results/conformance.md`: `npm run measure:hosts`. */
import { CHECKS, conversation, declaredImage, foreignHandle, OPTION_SETS } from './conformance.js';
import { engineHost } from './engine-host.js';
import { HOSTS } from './hosts.js';

const names = [...Object.keys(CHECKS), 'foreign', 'image'];

const mark = (found: readonly string[] | undefined) =>
  found === undefined ? '–' : found.length === 0 ? 'yes' : 'no';

console.log(`Node ${process.versions.node}.`);
for (const [set, options] of Object.entries(OPTION_SETS)) {
  const expected = await engineHost().run(conversation(), options);
  const rewrites = expected.reports.at(-1)?.cache.rewrites;
  const dropped = expected.reports.at(-1)?.dropped.length;
  console.log(
    `\n${set}: ${expected.requests.length} requests, ${rewrites} rewrites, ${dropped} messages dropped\n`,
  );
  console.log(`| host | version | ${names.join(' | ')} |`);
  console.log(`|---|---|${names.map(() => '---|').join('')}`);
  for (const host of HOSTS) {
    const { name, version, missing } = host;
    if (missing !== undefined) {
      console.log(`| ${name} | ${version} | ${missing} |`);
      continue;
    }
    const run = await host.run(conversation(), options);
    const found = [
      ...Object.values(CHECKS).map((check) => check(run, expected)),
      await foreignHandle(host, options),
      await declaredImage(host, options),
    ];
    console.log(`| ${name} | ${version} | ${found.map(mark).join(' | ')} |`);
  }
}
