import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"26. The neighbours of an invisible character decide whether it stays","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"26. The neighbours of an invisible character decide whether it stays"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0026-hidden-characters-by-position.md","filePath":"decisions/0026-hidden-characters-by-position.md"}');
const _sfc_main = { name: "decisions/0026-hidden-characters-by-position.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="26-the-neighbours-of-an-invisible-character-decide-whether-it-stays" tabindex="-1">26. The neighbours of an invisible character decide whether it stays <a class="header-anchor" href="#26-the-neighbours-of-an-invisible-character-decide-whether-it-stays" aria-label="Permalink to &quot;26. The neighbours of an invisible character decide whether it stays&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Many scripts and emoji need invisible characters. An attacker uses the same characters to hide text.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Two neighbours decide: the visible character directly before it, and the character directly after it.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>One pass leaves nothing hidden. Sanitising a text twice gives the same result as sanitising it once.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0026-hidden-characters-by-position.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0026HiddenCharactersByPosition = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0026HiddenCharactersByPosition as default
};
