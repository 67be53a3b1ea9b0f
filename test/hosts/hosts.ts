/** All hosts of the conformance suite. */
import { engineHost } from './engine-host.js';
import type { Host } from './host.js';
import { openaiHost } from './openai-host.js';

export const HOSTS: readonly Host[] = [
  engineHost('arrival'),
  engineHost('restarts'),
  openaiHost(),
  openaiHost(true),
];
