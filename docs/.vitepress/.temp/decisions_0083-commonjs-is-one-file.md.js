import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"83. CommonJS is one file","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"83. CommonJS is one file"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0083-commonjs-is-one-file.md","filePath":"decisions/0083-commonjs-is-one-file.md"}');
const _sfc_main = { name: "decisions/0083-commonjs-is-one-file.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="83-commonjs-is-one-file" tabindex="-1">83. CommonJS is one file <a class="header-anchor" href="#83-commonjs-is-one-file" aria-label="Permalink to &quot;83. CommonJS is one file&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-24</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>From version 20.19 on, Node loads ES modules by <code>require</code>. A second tree of modules for CommonJS had 3.5 MB and 836 files, and gave programs that use both ways two cores. Jest, in its usual mode, still cannot load ES modules; many users of LangChain.js test with it.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The condition <code>module-sync</code> leads Node to the ES modules, by <code>import</code> and by <code>require</code>. Jest and old bundlers do not know this condition, and get one file of CommonJS with all entries. Each entry runs when it is first required. Each adapter is one ES module, and the core keeps its modules for bundlers.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A process has one core, and <code>instanceof</code> holds. The package has a third of the former files. TypeScript before 5.8 with <code>module: node16</code> needs <code>skipLibCheck</code> in CommonJS sources.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0083-commonjs-is-one-file.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0083CommonjsIsOneFile = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0083CommonjsIsOneFile as default
};
