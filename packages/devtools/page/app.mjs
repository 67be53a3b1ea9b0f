/**
 * The program and the styles of the inspector's pages. In the sources, `#inspector-app` is this module, and they are built
 * when it is imported; `scripts/build.mjs` writes its exports into a file of the package.
 */
import { createHash } from 'node:crypto';
import { noticesOf } from '../../../scripts/notices.mjs';
import { buildInspector } from './build.mjs';

const built = await buildInspector();

export const { script, style, evaluationStyle } = built;
export const notices = noticesOf(built.inputs);

if (/-->|--!>/.test(notices)) throw new Error('A licence would end the comment of HTML that it is in.');

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const scriptHash = hashOf(script);
export const styleHash = hashOf(style);
export const evaluationStyleHash = hashOf(evaluationStyle);
