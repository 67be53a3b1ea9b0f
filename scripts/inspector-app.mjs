/**
 * The program and the styles of the inspector's page. In the sources, `#inspector-app` is this module, and they are built
 * when it is imported; `scripts/build.mjs` writes its exports into a file of the package.
 */
import { createHash } from 'node:crypto';
import { buildInspector } from '../inspector/build.mjs';

export const { script, style } = await buildInspector();

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const scriptHash = hashOf(script);
export const styleHash = hashOf(style);
