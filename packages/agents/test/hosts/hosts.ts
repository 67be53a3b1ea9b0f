/** All hosts of the conformance suite. */
import { aiSdkHosts } from './ai-sdk-host.js';
import { engineHost } from './engine-host.js';
import type { Host } from './host.js';
import { langchainHost } from './langchain-host.js';
import { mastraHosts } from './mastra-host.js';
import { openaiHost } from './openai-host.js';

export const HOSTS: readonly Host[] = [
  engineHost('arrival'),
  engineHost('restarts'),
  ...aiSdkHosts,
  ...mastraHosts,
  langchainHost('both'),
  langchainHost('model'),
  openaiHost(),
  openaiHost(true),
];
