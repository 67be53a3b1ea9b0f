import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"60. Adapters extend the report","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"60. Adapters extend the report"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0060-reports-have-extensions.md","filePath":"decisions/0060-reports-have-extensions.md"}');
const _sfc_main = { name: "decisions/0060-reports-have-extensions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="60-adapters-extend-the-report" tabindex="-1">60. Adapters extend the report <a class="header-anchor" href="#60-adapters-extend-the-report" aria-label="Permalink to &quot;60. Adapters extend the report&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Corrective retrieval adds its record to the report, and reasons to evictions. With these types in the core, every new adapter would change the core.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Reports, evictions and degradations have interfaces that adapters and users extend by declaration merging: <code>ReportExtensions</code>, <code>EvictionExtensions</code>, <code>DegradationExtensions</code>. <code>formatReport</code> prints every added field in the same way.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The core does not import or name corrective retrieval. The types of an adapter are visible once a program imports that adapter.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0060-reports-have-extensions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0060ReportsHaveExtensions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0060ReportsHaveExtensions as default
};
