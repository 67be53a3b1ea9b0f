/** `context-shaping reviews`: lists, shows and answers reviews. */
import { ContextShapingError } from '../../src/index.js';
import { DIRECTION_CONTROLS } from '../../src/internal.js';
import { UsageError } from './errors.js';
import { readInput } from './files.js';
import { type DatabaseFlags, withQueue } from './reviews-database.js';
import { reviewPage, reviewsTable } from './reviews-page.js';
import { type Io, printable, styleFor, widthOf, write } from './terminal.js';

export const REVIEW_FORMATS = ['text', 'json'] as const;

interface Flags extends DatabaseFlags {
  format?: (typeof REVIEW_FORMATS)[number];
}

export interface ListFlags extends Flags {
  limit?: number;
  thread?: string;
}

export interface AnswerFlags extends Flags {
  approve?: true;
  refuse?: true;
  answer?: string;
  query?: string;
  json?: string;
  search?: string | false;
  pin?: string[];
  veto?: string[];
  unevict?: string[];
  by?: string;
  note?: string;
}

const LIST = 'context-shaping reviews list shows the open reviews.';

export async function listReviews(flags: ListFlags, io: Io): Promise<void> {
  const { limit, thread: threadId } = flags;
  const reviews = await withQueue(flags, io, (queue) => queue.list({ limit, threadId }));
  const style = styleFor(io.stdout, io.env);
  await print(reviews, () => reviewsTable(reviews, widthOf(io.stdout), style), flags, io);
}

export async function showReview(id: string, flags: Flags, io: Io): Promise<void> {
  const review = await withQueue(flags, io, (queue) => queue.get(id));
  if (review === undefined) throw new UsageError(`There is no open review ${id}. ${LIST}`);
  const style = styleFor(io.stdout, io.env);
  await print(review, () => reviewPage(review, widthOf(io.stdout), style), flags, io);
}

export async function answerReview(id: string, flags: AnswerFlags, io: Io): Promise<void> {
  const given = flags.json === undefined ? fromFlags(flags) : (await readInput(flags.json, io)).value;
  const result = await withQueue(flags, io, async (queue, graph) => {
    const review = await queue.get(id);
    if (review === undefined) throw new UsageError(`There is no open review ${id}. ${LIST}`);
    const { threadId } = review;
    const answer = await queue.answer(review, given, { by: flags.by }).catch((error: unknown) => {
      throw fieldsAsWritten(error, flags.json !== undefined);
    });
    if (graph === undefined) return { id, threadId, answer, resumed: false };
    const { resumed, failed } = await queue.resume(graph, { threadId, signal: io.signal });
    const [failure] = failed;
    if (failure !== undefined) {
      throw new Error(`The answer is recorded, but thread ${threadId} failed: ${reason(failure.error)}`, {
        cause: failure.error,
      });
    }
    return { id, threadId, answer, resumed: resumed.length > 0 };
  });
  await print(result, () => outcome(result), flags, io);
}

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));

const outcome = ({ threadId, resumed }: { threadId: string; resumed: boolean }) =>
  resumed
    ? `Recorded. Thread ${printable(threadId)} has continued.`
    : `Recorded. Thread ${printable(threadId)} continues when its application resumes the review queue.`;

async function print(value: unknown, page: () => string, { format }: Flags, io: Io): Promise<void> {
  const text = (format ?? (io.stdout.isTTY ? 'text' : 'json')) === 'json' ? json(value) : page();
  await write(io.stdout, `${text}\n`);
}

const OBEYED = new RegExp(`[\\x7f-\\x9f${DIRECTION_CONTROLS}]`, 'g');
/** JSON with escapes for the controls that JSON allows and a terminal would obey. */
const json = (value: unknown) =>
  JSON.stringify(value).replace(OBEYED, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

function fromFlags({ approve, refuse, answer, query, ...flags }: AnswerFlags): object {
  const actions = [
    approve && { action: 'approve' },
    refuse && { action: 'refuse' },
    answer !== undefined && { action: 'answer', answer },
    query !== undefined && { action: 'edit', query },
  ].filter((action) => typeof action === 'object');
  const [action] = actions;
  if (action === undefined || actions.length > 1) {
    throw new UsageError(
      'Give exactly one of --approve, --answer TEXT, --query TEXT, --refuse and --json FILE.',
    );
  }
  const { search, pin, veto, unevict, by, note } = flags;
  const rest = Object.entries({ search, pin, veto, unevict, by, note });
  return { ...action, ...Object.fromEntries(rest.filter(([, value]) => value !== undefined)) };
}

/** The same error with every field named as the user wrote it: a flag, or a path in the JSON. */
function fieldsAsWritten(error: unknown, json: boolean): unknown {
  if (!ContextShapingError.isInstance(error)) return error;
  return error.renamed((field) =>
    json ? field.replace(/^answer\b/, '$') : field.replace(/^answer\.(\w+).*/, '--$1'),
  );
}
