import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"80. The order counts as far as it is vouched for","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"80. The order counts as far as it is vouched for"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0080-the-order-as-far-as-vouched-for.md","filePath":"decisions/0080-the-order-as-far-as-vouched-for.md"}');
const _sfc_main = { name: "decisions/0080-the-order-as-far-as-vouched-for.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="80-the-order-counts-as-far-as-it-is-vouched-for" tabindex="-1">80. The order counts as far as it is vouched for <a class="header-anchor" href="#80-the-order-counts-as-far-as-it-is-vouched-for" aria-label="Permalink to &quot;80. The order counts as far as it is vouched for&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-24</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>This supersedes the decision <a href="/decisions/0005-list-order-is-evidence.html">5</a>. The order of a reranker is better evidence than words. The order of a file is no evidence. The list does not show which of the two it is. As one more feature in a sum, the order could bury the one chunk that matches, because its share had no bound. The values of scores made it worse: scales differ from service to service.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>There are two experts: one knows the words, the other also believes the order. The trust in the order mixes their probabilities, not their weights. The trust is .97 for a reranker, .7 for a retriever or for scores, .5 if nothing is known, and 0 for an order without a meaning. The caller can give a number. Scores give an order and its direction, and nothing else.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A bad place costs a chunk at most the factor 1 minus trust.</li><li>The caller must say that a list was reranked. Otherwise a good order adds less than it could.</li><li><code>report.ranking</code> has the trust and its reason. Degradations name contradictions to the word of the caller. They change nothing.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0080-the-order-as-far-as-vouched-for.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0080TheOrderAsFarAsVouchedFor = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0080TheOrderAsFarAsVouchedFor as default
};
