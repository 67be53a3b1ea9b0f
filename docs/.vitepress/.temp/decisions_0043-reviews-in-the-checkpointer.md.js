import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"43. Reviews are stored by the checkpointer","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"43. Reviews are stored by the checkpointer"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0043-reviews-in-the-checkpointer.md","filePath":"decisions/0043-reviews-in-the-checkpointer.md"}');
const _sfc_main = { name: "decisions/0043-reviews-in-the-checkpointer.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="43-reviews-are-stored-by-the-checkpointer" tabindex="-1">43. Reviews are stored by the checkpointer <a class="header-anchor" href="#43-reviews-are-stored-by-the-checkpointer" aria-label="Permalink to &quot;43. Reviews are stored by the checkpointer&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Leases and answers need a write that happens once. <code>putWrites</code> of every checkpointer creates a missing entry and leaves an existing one. If a thread stopped halfway, the checkpoint alone does not tell which answer it was given.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Leases and recorded answers use <code>putWrites</code>. The process that continues a thread records its answer, and deletes the record when the run is complete.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The review queue works alike in memory, SQLite and PostgreSQL, without tables of its own.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0043-reviews-in-the-checkpointer.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0043ReviewsInTheCheckpointer = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0043ReviewsInTheCheckpointer as default
};
