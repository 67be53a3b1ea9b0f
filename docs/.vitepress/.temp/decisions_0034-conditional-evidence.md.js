import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"34. Evidence is measured given the best passage","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"34. Evidence is measured given the best passage"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0034-conditional-evidence.md","filePath":"decisions/0034-conditional-evidence.md"}');
const _sfc_main = { name: "decisions/0034-conditional-evidence.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="34-evidence-is-measured-given-the-best-passage" tabindex="-1">34. Evidence is measured given the best passage <a class="header-anchor" href="#34-evidence-is-measured-given-the-best-passage" aria-label="Permalink to &quot;34. Evidence is measured given the best passage&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>If an answer has two parts, three passages with the first part beat the one with the second when each is measured by itself.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>As long as something can be gained, the best passage is taken as given and the others are measured again. This joint utility ranks. The bound <code>minUtility</code> uses the independent utility: a second proof is redundant, but not wrong.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Each round costs further requests (<code>ecs.rounds</code>).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0034-conditional-evidence.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0034ConditionalEvidence = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0034ConditionalEvidence as default
};
