import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"15. A sentence with a pronoun is kept with its antecedent, or not at all","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"15. A sentence with a pronoun is kept with its antecedent, or not at all"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0015-antecedents-stay.md","filePath":"decisions/0015-antecedents-stay.md"}');
const _sfc_main = { name: "decisions/0015-antecedents-stay.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="15-a-sentence-with-a-pronoun-is-kept-with-its-antecedent-or-not-at-all" tabindex="-1">15. A sentence with a pronoun is kept with its antecedent, or not at all <a class="header-anchor" href="#15-a-sentence-with-a-pronoun-is-kept-with-its-antecedent-or-not-at-all" aria-label="Permalink to &quot;15. A sentence with a pronoun is kept with its antecedent, or not at all&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>An excerpt that begins with &quot;It&quot; or &quot;He&quot; is unclear without the sentence before it.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>A sentence that begins with a pronoun is kept together with the sentence it refers to.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>1 % of the excerpts lack an antecedent, instead of 3 to 10 %. A budget of a few sentences loses some evidence (HotpotQA at 10x: .03).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0015-antecedents-stay.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0015AntecedentsStay = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0015AntecedentsStay as default
};
