import { type LineBlock, lineStructure } from '../../structures/index.js';
import type { Kind } from './kind.js';
import { cleanLog } from './log-lines.js';
import { prioritiesOf } from './log-priorities.js';
import { templateOf } from './log-templates.js';

const LEVEL = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/;
const STEP = /^(?:##\[|::(?:group|endgroup|error|warning)|\$ |\+ |> )/;
const TEST = /^\s*(?:PASS|FAIL|ok|not ok|✓|✔|✕|✗|--- (?:PASS|FAIL)|=== RUN|test .* \.\.\. )/;

/** What programs say while they run: logs of servers, builds and tests. It asks what went wrong, and how it ended. */
export const log = {
  name: 'log',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    if (filled.length < 2) return 0;
    const { stamped, lines: plain } = cleanLog(filled);
    const told = plain.filter((line) => LEVEL.test(line.slice(0, 80)) || STEP.test(line) || TEST.test(line));
    return Math.min(1, (stamped + told.length) / filled.length);
  },
  read(text) {
    const { lines, removed } = cleanLog(text.split('\n'));
    const templates = lines.map(templateOf);
    const priorities = prioritiesOf(lines, templates);
    const blocks = lines.map(
      (_, at): LineBlock => ({ first: at + 1, last: at + 1, priority: priorities[at], label: templates[at] }),
    );
    return lineStructure(lines, blocks, removed);
  },
} as const satisfies Kind;
