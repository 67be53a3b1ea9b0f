import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"29. Echoes of the question are ignored, not penalised","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"29. Echoes of the question are ignored, not penalised"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0029-echoes-are-cut-out.md","filePath":"decisions/0029-echoes-are-cut-out.md"}');
const _sfc_main = { name: "decisions/0029-echoes-are-cut-out.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="29-echoes-of-the-question-are-ignored-not-penalised" tabindex="-1">29. Echoes of the question are ignored, not penalised <a class="header-anchor" href="#29-echoes-of-the-question-are-ignored-not-penalised" aria-label="Permalink to &quot;29. Echoes of the question are ignored, not penalised&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>An attacker puts the question in front of a text to make it match. Honest statements also repeat a question, but almost never its question word; that word tells the two apart. In ten sets, .1 % of the passages are echoes. In an FAQ every entry begins with a question. The most trusted sources have no attacker.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The echoed sentence is left out of matching. The rest of the text counts. If all chunks begin with a question, or if the chunk is in the first trust tier, the echo counts.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A text with an echo is exactly as relevant as the same text without it. An echo may still have raised the text&#39;s place in the retriever&#39;s list.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0029-echoes-are-cut-out.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0029EchoesAreCutOut = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0029EchoesAreCutOut as default
};
