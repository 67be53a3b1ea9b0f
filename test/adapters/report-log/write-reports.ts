/** A process that writes reports to a log: `write-reports.ts FILE NAME COUNT MAX_BYTES KEEP`. */
import { createShaper } from 'context-shaping';
import { reportLog } from 'context-shaping/report-log';

const [file, name, count, maxBytes, keep] = process.argv.slice(2) as [string, string, string, string, string];
const { report } = await createShaper().shape({
  query: '',
  chunks: [{ id: 'a', text: 'Kestrels hover over the moor.' }],
});
const onReport = reportLog({ file, maxBytes: Number(maxBytes), keep: Number(keep) });
for (let i = 0; i < Number(count); i++) await onReport({ ...report, digest: `${name}-${i}` });
