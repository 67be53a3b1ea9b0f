import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"37. Web results are shaped and graded like retrieved documents","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"37. Web results are shaped and graded like retrieved documents"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0037-web-results-are-graded.md","filePath":"decisions/0037-web-results-are-graded.md"}');
const _sfc_main = { name: "decisions/0037-web-results-are-graded.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="37-web-results-are-shaped-and-graded-like-retrieved-documents" tabindex="-1">37. Web results are shaped and graded like retrieved documents <a class="header-anchor" href="#37-web-results-are-shaped-and-graded-like-retrieved-documents" aria-label="Permalink to &quot;37. Web results are shaped and graded like retrieved documents&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The CRAG paper accepts all results of the web search. Search engines return something for every question.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Web results are shaped and graded by themselves first. The decision then uses them together with the retrieved documents.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A search can end with the verdict <code>incorrect</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0037-web-results-are-graded.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0037WebResultsAreGraded = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0037WebResultsAreGraded as default
};
