/** JSON values as texts for relevance and recall. */
import type { JsonNode } from './json-nodes.js';

/** Deeper values stand as they are written. */
const DEEPEST = 6;

/** @param columns names of the elements of an array. */
export function readableOf(node: JsonNode, text: string, columns: readonly string[]): string {
  if (node.kind === 'array' && columns.length > 0)
    return node.children
      .map((cell, at) => [columns[at], readableOf(cell, text, [])].filter(Boolean).join(': '))
      .filter((cell) => cell !== '')
      .join('; ');
  return lines(node, text, '', 0).join('; ');
}

function lines(node: JsonNode, text: string, path: string, depth: number): string[] {
  const named = (value: string) => (path === '' ? value : `${path}: ${value}`);
  if (node.kind === 'string') return [named(JSON.parse(text.slice(node.start, node.end)) as string)];
  if (node.kind === 'other' || depth > DEEPEST) return [named(text.slice(node.start, node.end))];
  if (node.kind === 'array') {
    if (node.children.every(({ kind }) => kind === 'string' || kind === 'other'))
      return [named(node.children.map((child) => lines(child, text, '', depth + 1).join('')).join(', '))];
    return node.children.flatMap((child) => lines(child, text, path, depth + 1));
  }
  return node.children.flatMap((child) =>
    lines(child, text, path === '' ? (child.key ?? '') : `${path}.${child.key ?? ''}`, depth + 1),
  );
}

const LABELS = ['title', 'name', 'heading', 'subject', 'path', 'file', 'url', 'id'];
const LONGEST_LABEL = 200;

/** The name of a record: the first of the fields that usually hold one. */
export function labelOf(node: JsonNode, text: string): string | undefined {
  const labels = LABELS.flatMap((name) => {
    const field = node.children.find(({ key, kind }) => key?.toLowerCase() === name && kind === 'string');
    return field === undefined || field.end - field.start > LONGEST_LABEL
      ? []
      : [JSON.parse(text.slice(field.start, field.end)) as string];
  });
  return labels[0] ?? node.key;
}

/** The texts of an array of names: strings, or objects with a name. Undefined if it is something else. */
export function namesIn(node: JsonNode, text: string): string[] | undefined {
  const names = node.children.map((child) => {
    const name =
      child.kind === 'object' ? child.children.find(({ key }) => key === 'name' || key === 'title') : child;
    return name?.kind === 'string' ? (JSON.parse(text.slice(name.start, name.end)) as string) : undefined;
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}
