/**
 * The three versions of the manual in `demo/`, and all statements in which they truly differ, found by reading them side
 * by side.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Chunk } from 'context-shaping';

const DEMO = fileURLToPath(new URL('../../../../demo/', import.meta.url));

export const VERSIONS = ['v1', 'v2', 'v3'] as const;
export type Version = (typeof VERSIONS)[number];

/** A sentence or a row with one text in each version that has it. */
export interface Difference {
  page: string;
  /** Several differences can be of one fact. */
  fact: string;
  /** Word for word. */
  texts: Partial<Record<Version, string>>;
}

/** The texts of a difference: `{1|2|3}` are the values of the versions, of which an empty one has no such sentence. */
function difference(page: string, fact: string, text: string): Difference {
  const texts: Difference['texts'] = {};
  for (const [at, version] of VERSIONS.entries()) {
    let isThere = true;
    const own = text.replace(/\{([^}]*)\}/g, (_, values: string) => {
      const value = values.split('|')[at] ?? '';
      isThere &&= value !== '';
      return value;
    });
    if (isThere) texts[version] = own;
  }
  return { page, fact, texts };
}

export const DIFFERENCES: readonly Difference[] = [
  difference(
    'errors.md',
    'time to answer',
    'Cormorant waits {30|15|10} seconds for the first byte of the answer.',
  ),
  difference(
    'webhooks.md',
    'retries',
    'Cormorant retries a failed webhook delivery for {6|24|72} hours, with at most {6|8|12} attempts.',
  ),
  difference('webhooks.md', 'first retry', 'The first retry comes after {5 minutes|60 seconds|30 seconds}.'),
  difference(
    'webhooks.md',
    'further waits',
    'Each further wait is twice as long as the one before it, up to {an hour|4 hours|12 hours}, with a random part of up to 20 percent so that retries do not all arrive at once.',
  ),
  difference(
    'webhooks.md',
    'sending again',
    'It is not lost: you can send it again for {3|7|30} days, from the dashboard or with `POST /deliveries/{ID|ID|ID}/resend`.',
  ),
  difference(
    'webhooks.md',
    'time to answer',
    'Your endpoint must answer with a status from 200 to 299 within {30|15|10} seconds.',
  ),
  difference(
    'webhooks.md',
    'time to answer',
    'Any other status, a redirect, a TLS error, or no answer within {30|15|10} seconds counts as a failed delivery.',
  ),
  difference(
    'webhooks.md',
    'disabled',
    'An endpoint that has failed every delivery for {a day|3 days|5 days} is disabled.',
  ),
  difference(
    'webhooks.md',
    'warning',
    'Cormorant sends a warning to the owners of the account after {|1 day|2 days}.',
  ),
  difference(
    'getting-started.md',
    'checked labels',
    'The first {|five|ten} labels of a new account are checked by a person; this takes up to {|four|two} hours on working days.',
  ),
  difference('limits.md', 'time to answer', '| time to answer a delivery | {|15|10} seconds |'),
  difference('limits.md', 'retries', '| attempts per delivery | {|8|12} |'),
  difference('limits.md', 'retries', '| time over which a failed delivery is retried | {|24|72} hours |'),
  difference('limits.md', 'sending again', '| time for which an event can be sent again | {|7|30} days |'),
  difference(
    'security.md',
    'new addresses',
    'The list changes at most twice a year, and new addresses are announced {|14|30} days before they are used.',
  ),
  difference(
    'security.md',
    'deletion',
    'Addresses of recipients are deleted {|200|400} days after the delivery.',
  ),
  difference(
    'security.md',
    'failed attempts',
    '{|after five|After ten} failed attempts an account is locked for 15 minutes.',
  ),
].map((each) => ({
  ...each,
  texts: Object.fromEntries(
    Object.entries(each.texts).map(([version, text]) => [version, text.replace('/ID/', '/{id}/')]),
  ),
}));

/** Every section of every page, with the heading of the page before it. Nothing if the demo is not there. */
export function loadDemoVersions(): Chunk[] {
  return VERSIONS.filter((version) => existsSync(`${DEMO}${version}`)).flatMap((version) =>
    readdirSync(`${DEMO}${version}`)
      .toSorted()
      .flatMap((page) => sectionsOf(version, page, readFileSync(`${DEMO}${version}/${page}`, 'utf8'))),
  );
}

function sectionsOf(version: Version, page: string, text: string): Chunk[] {
  const [top = '', ...sections] = text.trim().split(/\n(?=## )/);
  const heading = top.split('\n')[0] ?? '';
  const source = `${version}/${page}`;
  const metadata = { source, title: heading.replace(/^# /, '') };
  return [top, ...sections.map((section) => `${heading}\n\n${section}`)].map((section, at) => ({
    id: `${source}#${at + 1}`,
    text: section.trim(),
    metadata,
  }));
}
