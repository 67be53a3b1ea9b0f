/** `context-shaping pull`: downloads a static embedding model from a hub into a folder. */
import { join } from 'node:path';
import { makeFolder } from '../own-file/index.js';
import { download, type Outcome } from './download.js';
import { UsageError } from './errors.js';
import { reasonOf } from './files.js';
import { describe, fileUrl, type Hub } from './hub.js';
import { type Io, printable, startProgress, write } from './terminal.js';

const FILES = ['config.json', 'tokenizer.json', 'model.safetensors'] as const;

export const DEFAULT_ENDPOINT = 'https://huggingface.co';

export interface PullFlags {
  to?: string;
  revision: string;
  endpoint?: string;
  verbose?: boolean;
}

export async function pullCommand(model: string, flags: PullFlags, io: Io): Promise<void> {
  checkName(model);
  checkRevision(flags.revision);
  const hub: Hub = {
    endpoint: readEndpoint(flags.endpoint, io.env),
    token: readToken(io.env),
    signal: io.signal,
  };
  const folder = flags.to ?? join('models', ...model.split('/'));
  let revision = flags.revision;
  try {
    await makeFolder(folder);
    for (const file of FILES) {
      const url = fileUrl(hub, model, revision, file);
      if (flags.verbose) await write(io.stderr, `Fetching ${url.href}.\n`);
      const remote = await describe(hub, url);
      const progress = await startProgress(io, `${file}, kB`, kilobytes(remote.size ?? 0));
      let arrived = 0;
      const onBytes = (count: number) => {
        progress.step(kilobytes(arrived + count) - kilobytes(arrived));
        arrived += count;
      };
      const outcome = await download(hub, url, join(folder, file), remote, onBytes).finally(progress.stop);
      await write(io.stdout, line(file, outcome));
      // The branch may change during the download: all three files must be from one commit.
      if (/^[0-9a-f]{40}$/.test(remote.commit ?? '')) revision = remote.commit as string;
    }
  } catch (error) {
    throw inWriting(error, folder);
  }
  // Loaded here, since the other commands do not need it.
  const { loadStaticEmbedder } = await import('../embeddings/index.js');
  const { dimension } = await loadStaticEmbedder(folder);
  const use = `loadStaticEmbedder(${JSON.stringify(folder)})`;
  await write(
    io.stdout,
    `${printable(folder)}: a model with ${dimension} dimensions. Load it with ${printable(use)}.\n`,
  );
}

/** Accepts names that the hub allows, and none that could lead out of the folder. */
function checkName(model: string): void {
  const part = /^[A-Za-z0-9_](?:[\w.-]{0,94}[A-Za-z0-9_])?$/;
  const parts = model.split('/');
  if (parts.length === 2 && parts.every((each) => part.test(each) && !each.includes('..'))) return;
  throw new UsageError(
    `${JSON.stringify(model)} is not the name of a model. Write OWNER/MODEL, such as minishlab/potion-base-8M.`,
  );
}

function checkRevision(revision: string): void {
  if (/^[\w.+@/-]{1,255}$/.test(revision) && !/^\.+$/.test(revision)) return;
  throw new UsageError('--revision must be a branch, a tag or a commit. The default is main.');
}

function readEndpoint(flag: string | undefined, env: Io['env']): URL {
  const text = flag ?? (env.HF_ENDPOINT || DEFAULT_ENDPOINT);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const name = flag === undefined ? 'HF_ENDPOINT' : '--endpoint';
  // The message does not show the address, and fetch never sees it: fetch accepts no password in an address.
  if (text.includes('@')) {
    throw new UsageError(
      `${name} must not contain a user or a password. Set HF_TOKEN to a token with read access.`,
    );
  }
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return url;
  throw new UsageError(
    `${name} must be the address of a hub (got ${JSON.stringify(text)}), such as ${DEFAULT_ENDPOINT}.`,
  );
}

function readToken(env: Io['env']): string | undefined {
  const token = env.HF_TOKEN?.trim() || undefined;
  // Checked here, because an error of fetch would show the token.
  if (token !== undefined && !/^[!-~]+$/.test(token)) {
    throw new UsageError('HF_TOKEN must be one word of printable ASCII characters. Correct or unset it.');
  }
  return token;
}

const HOW_CHECKED = {
  'SHA-256': 'SHA-256 matches',
  'SHA-1': 'SHA-1 (of a git blob) matches',
  size: 'size matches; the server gives no checksum',
  nothing: 'unchecked: the server gives neither checksum nor size',
};

const line = (file: string, { how, by, size }: Outcome) =>
  `${file.padEnd(18)}${size.toLocaleString('en').padStart(13)} bytes  ${how}; ${HOW_CHECKED[by]}\n`;

const kilobytes = (bytes: number) => Math.floor(bytes / 1000);

/** Errors of the disk in words; returns any other error unchanged. */
function inWriting(error: unknown, folder: string): unknown {
  const reason = reasonOf(error);
  return reason === undefined
    ? error
    : new Error(`Cannot write to ${folder}: ${reason}. Name another folder with --to.`, { cause: error });
}
