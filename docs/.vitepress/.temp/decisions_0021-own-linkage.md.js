import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"21. Single, complete, average and Ward linkage are our own code","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"21. Single, complete, average and Ward linkage are our own code"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0021-own-linkage.md","filePath":"decisions/0021-own-linkage.md"}');
const _sfc_main = { name: "decisions/0021-own-linkage.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="21-single-complete-average-and-ward-linkage-are-our-own-code" tabindex="-1">21. Single, complete, average and Ward linkage are our own code <a class="header-anchor" href="#21-single-complete-average-and-ward-linkage-are-our-own-code" aria-label="Permalink to &quot;21. Single, complete, average and Ward linkage are our own code&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The library <code>ml-hclust</code> takes cubic time.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Our code uses a nearest-neighbour chain over the packed triangle of distances, which takes quadratic time. The chain would be wrong for centroid and median linkage, so <code>ml-hclust</code> computes those two.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p><code>centroid</code> and <code>median</code> stay slow on large pools. Every other linkage takes quadratic time.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0021-own-linkage.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0021OwnLinkage = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0021OwnLinkage as default
};
