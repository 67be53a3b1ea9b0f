/** A setup that never comes to its end. */
import { writeFileSync } from 'node:fs';

writeFileSync(process.env.MARKER, '');
await new Promise(() => setInterval(() => {}, 1000));
