import type { ContextLockfile } from './types.js';

/**
 * A lockfile as the text of a file: JSON, indented by two spaces, with a line break at the end. Each list and each object
 * that has only plain values is one line, so that a comparison by lines shows what changed.
 */
export const formatLockfile = (lockfile: ContextLockfile): string => `${written(lockfile, '')}\n`;

function written(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(value).filter(([, each]) => each !== undefined);
  const [open, close] = isList ? '[]' : '{}';
  const isFlat = parts.every(([, each]) => typeof each !== 'object' || each === null);
  const inner = isFlat ? '' : `${indent}  `;
  const texts = parts.map(
    ([key, each]) => `${inner}${isList ? '' : `${JSON.stringify(key)}: `}${written(each, inner)}`,
  );
  if (texts.length === 0) return `${open}${close}`;
  return isFlat
    ? `${open}${isList ? '' : ' '}${texts.join(', ')}${isList ? '' : ' '}${close}`
    : `${open}\n${texts.join(',\n')}\n${indent}${close}`;
}
