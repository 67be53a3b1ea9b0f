import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"45. 32 bits select candidates, 64 bits decide","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"45. 32 bits select candidates, 64 bits decide"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0045-screen-in-32-bits.md","filePath":"decisions/0045-screen-in-32-bits.md"}');
const _sfc_main = { name: "decisions/0045-screen-in-32-bits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="45-32-bits-select-candidates-64-bits-decide" tabindex="-1">45. 32 bits select candidates, 64 bits decide <a class="header-anchor" href="#45-32-bits-select-candidates-64-bits-decide" aria-label="Permalink to &quot;45. 32 bits select candidates, 64 bits decide&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>32-bit cosines are fast, but their rounding could change a decision near a bound.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Values within rounding of a bound, and every distance in a report, are computed again in 64 bits. All pairs are kept for up to 2,048 chunks; above that, rows and blocks are computed on request.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Decisions are those of 64-bit arithmetic. Memory is bounded on large pools.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0045-screen-in-32-bits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0045ScreenIn32Bits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0045ScreenIn32Bits as default
};
