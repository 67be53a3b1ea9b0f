/**
 * Requests, tokens and cached tokens of each provider for 16 passages, as a table: `npm run research -- measure/providers`. The
 * variable `LLAMA_SERVER` names the binary of a real llama-server, which is measured too.
 */
import { costTable, providerCosts } from './provider-costs.js';

console.log(costTable(await providerCosts()));
