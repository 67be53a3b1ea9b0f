import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"18. A near-copy with an added statement is not a copy","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"18. A near-copy with an added statement is not a copy"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0018-an-added-statement-is-content.md","filePath":"decisions/0018-an-added-statement-is-content.md"}');
const _sfc_main = { name: "decisions/0018-an-added-statement-is-content.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="18-a-near-copy-with-an-added-statement-is-not-a-copy" tabindex="-1">18. A near-copy with an added statement is not a copy <a class="header-anchor" href="#18-a-near-copy-with-an-added-statement-is-not-a-copy" aria-label="Permalink to &quot;18. A near-copy with an added statement is not a copy&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Near-copies differ in filler. An attacker can add a short statement to a long copied text.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Near-copies may differ in function words, and in up to three words of substance within a sentence that both have. A sentence of its own with two words of substance is content, regardless of the length of the texts.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A text that adds &quot;This is false.&quot; is not merged with the original.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0018-an-added-statement-is-content.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0018AnAddedStatementIsContent = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0018AnAddedStatementIsContent as default
};
