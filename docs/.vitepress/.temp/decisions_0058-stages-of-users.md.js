import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"58. Users place stages by a function of the default ones","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"58. Users place stages by a function of the default ones"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0058-stages-of-users.md","filePath":"decisions/0058-stages-of-users.md"}');
const _sfc_main = { name: "decisions/0058-stages-of-users.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="58-users-place-stages-by-a-function-of-the-default-ones" tabindex="-1">58. Users place stages by a function of the default ones <a class="header-anchor" href="#58-users-place-stages-by-a-function-of-the-default-ones" aria-label="Permalink to &quot;58. Users place stages by a function of the default ones&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Users need rules of their own, such as a cap per author. If a stage could change texts, token counts or order freely, the promises of the package would no longer hold: conservation, the hard budget, verbatim excerpts.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The option <code>stages</code> is a function from the default stages to the stages that run. A stage of a user returns each candidate once, kept or evicted, and may change only its order and its relevance. Default stages keep their order. <code>annotate</code>, <code>embed</code> and <code>budget</code> must stay: every limit needs the token counts, comparisons need the vectors, and <code>budget</code> is the hard cap. Stages of users come after <code>annotate</code>.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The conservation check, the report, <code>onStage</code> and the limits work with every stage. After a stage of a user that follows a stage under pressure, <code>budgetToKeep</code> is <code>null</code>, because the package cannot predict the reaction of that stage to more room. The interface has a version (<code>specificationVersion</code>), so a later release can change it.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0058-stages-of-users.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0058StagesOfUsers = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0058StagesOfUsers as default
};
