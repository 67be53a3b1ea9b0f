import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"16. Each chunk is compared with its sixteen nearest kept chunks","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"16. Each chunk is compared with its sixteen nearest kept chunks"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0016-near-copies-among-sixteen.md","filePath":"decisions/0016-near-copies-among-sixteen.md"}');
const _sfc_main = { name: "decisions/0016-near-copies-among-sixteen.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="16-each-chunk-is-compared-with-its-sixteen-nearest-kept-chunks" tabindex="-1">16. Each chunk is compared with its sixteen nearest kept chunks <a class="header-anchor" href="#16-each-chunk-is-compared-with-its-sixteen-nearest-kept-chunks" aria-label="Permalink to &quot;16. Each chunk is compared with its sixteen nearest kept chunks&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Thousands of nearly identical texts would otherwise all be compared with each other.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The search for a near-copy looks at the sixteen nearest kept chunks. By words, it finds them through the rarest words that two such texts must share.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The time of <code>semantic-dedup</code> is bounded on pools of near-identical texts.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0016-near-copies-among-sixteen.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0016NearCopiesAmongSixteen = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0016NearCopiesAmongSixteen as default
};
