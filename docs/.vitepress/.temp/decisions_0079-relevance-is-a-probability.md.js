import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"79. Relevance is a probability","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"79. Relevance is a probability"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0079-relevance-is-a-probability.md","filePath":"decisions/0079-relevance-is-a-probability.md"}');
const _sfc_main = { name: "decisions/0079-relevance-is-a-probability.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="79-relevance-is-a-probability" tabindex="-1">79. Relevance is a probability <a class="header-anchor" href="#79-relevance-is-a-probability" aria-label="Permalink to &quot;79. Relevance is a probability&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-24</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>This supersedes the decisions <a href="/decisions/0003-leads-name-their-title.html">3</a> and <a href="/decisions/0004-learned-weights-of-chosen-features.html">4</a>. Relevance was a weighted mean of shares of the best value in the pool. The best chunk had almost 1, even if it had nothing to do with the question. A value in one pool could not be compared with a value in another, or with a unit of text. So a floor could only be relative, and no sum of values had a meaning.</p><p>Trees and networks rank well, but their reasons cannot be read in a report.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>A logistic model gives the probability that a chunk holds evidence for the question. Its features are chosen, and its weights are learned from public sets with marked evidence. The size of the pool is a part of the model. Units of text have a model of the same kind, which also has the relevance of their chunk.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>The report lists the share of each feature in the log-odds. The shares add up.</li><li><code>relevance.floor</code> is a probability and means the same in every pool.</li><li>Extraction can add the probabilities of units, as the evidence that it expects.</li><li>The probability is right on average, over pools like those of the training. In other pools the order of the chunks is more certain than the numbers.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0079-relevance-is-a-probability.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0079RelevanceIsAProbability = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0079RelevanceIsAProbability as default
};
