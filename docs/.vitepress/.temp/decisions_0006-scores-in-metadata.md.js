import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"6. A score in metadata counts only if a retriever wrote it","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"6. A score in metadata counts only if a retriever wrote it"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0006-scores-in-metadata.md","filePath":"decisions/0006-scores-in-metadata.md"}');
const _sfc_main = { name: "decisions/0006-scores-in-metadata.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="6-a-score-in-metadata-counts-only-if-a-retriever-wrote-it" tabindex="-1">6. A score in metadata counts only if a retriever wrote it <a class="header-anchor" href="#6-a-score-in-metadata-counts-only-if-a-retriever-wrote-it" aria-label="Permalink to &quot;6. A score in metadata counts only if a retriever wrote it&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Ingestion copies the metadata of strangers&#39; pages, so a page could contain a score of its own. Retrievers and rerankers write the same key into every document.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>A metadata key counts as a score only if all documents of the list have it, or if <code>scoreField</code> names it. Scores of chunks and of LlamaIndex nodes belong to the caller and always count. Metadata never pins; the option <code>pin</code> and messages do.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>In a ranked list such a score only tells how far apart the places are. A number in a page&#39;s metadata cannot move its document up.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0006-scores-in-metadata.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0006ScoresInMetadata = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0006ScoresInMetadata as default
};
