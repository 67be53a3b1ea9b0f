/** The arguments of the demo: a folder, a question, or both. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nearest } from '../../src/internal.js';
import { UsageError } from './errors.js';

export interface DemoArguments {
  folder?: string;
  question?: string;
}

/**
 * Two arguments are a folder and a question. A single argument is a folder if there is one of this name. Otherwise it
 * is the question, unless it looks like a folder or almost has the name of one: then that name is wrong.
 */
export async function readArguments(args: readonly string[]): Promise<DemoArguments> {
  const [first, second] = args;
  if (args.some((each) => each.trim() === ''))
    throw new UsageError('An argument of demo is empty. Remove it, or write a question.');
  if (first === undefined) return {};
  const found = await kindOf(first);
  if (args.length > 2) {
    const question = args.slice(found === 'folder' ? 1 : 0).join(' ');
    throw new UsageError(
      `demo takes a folder and a question, and got ${args.length} arguments. Put the question in quotes: "${question}".`,
    );
  }
  if (found === 'folder') return { folder: first, ...(second === undefined ? {} : { question: second }) };
  if (found === 'file')
    throw new UsageError(`${first} is a file. Name the folder of the Markdown: ${dirname(first)}.`);
  const like = await similarFolders(first);
  if (second === undefined && like.length === 0 && !looksLikeFolder(first)) return { question: first };
  const meant = like.length === 0 ? '' : ` Did you mean ${like.join(' or ')}?`;
  const remedy =
    second === undefined
      ? 'To ask a question, write at least two words or a question mark.'
      : 'The first of two arguments is the folder to search.';
  throw new UsageError(`There is no folder ${first}.${meant} ${remedy}`);
}

/** Existing folders with almost the same name. */
async function similarFolders(path: string): Promise<string[]> {
  const parent = dirname(path);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return nearest(basename(path), folders.sort()).map((name) => join(parent, name));
}

/** A name without white space and question mark, or a path. */
const looksLikeFolder = (argument: string) =>
  !/[\s?？]/.test(argument) || /^(?:\.{0,2}[\\/]|~|[A-Za-z]:[\\/])/.test(argument);

async function kindOf(path: string): Promise<'folder' | 'file' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}
