import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"61. Bundles of a compressor leave LangGraph out","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"61. Bundles of a compressor leave LangGraph out"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0061-langgraph-outside-of-bundles.md","filePath":"decisions/0061-langgraph-outside-of-bundles.md"}');
const _sfc_main = { name: "decisions/0061-langgraph-outside-of-bundles.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="61-bundles-of-a-compressor-leave-langgraph-out" tabindex="-1">61. Bundles of a compressor leave LangGraph out <a class="header-anchor" href="#61-bundles-of-a-compressor-leave-langgraph-out" aria-label="Permalink to &quot;61. Bundles of a compressor leave LangGraph out&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A compressor makes a LangGraph graph only if it has the option <code>crag</code>. A bundler follows every <code>import()</code> with a literal path. Without <code>@langchain/langgraph</code>, a build with esbuild, webpack or wrangler failed for every compressor. A <code>try</code> around the import does not help, because the adapter for LangGraph imports the package statically.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The compressor imports the adapter by a path in a variable, with the comments that webpack and Vite read. Bundlers leave this import alone. A bundle that uses <code>crag</code> passes <code>createCragGraph</code> to the compressor, so the bundler sees an ordinary import.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>In Node without a bundler, <code>crag</code> needs no further option. In a bundle without <code>createCragGraph</code>, the first use throws <code>missing-dependency</code>, with a remedy for both cases. <code>npm run test:package</code> builds and runs such bundles with esbuild, webpack, Rollup, Vite and wrangler. <code>node:async_hooks</code> is taken from <code>process.getBuiltinModule</code>, so a page imports no Node module. A browser does not carry the enclosing run of LangChain: pass callbacks and signals with each call there.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0061-langgraph-outside-of-bundles.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0061LanggraphOutsideOfBundles = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0061LanggraphOutsideOfBundles as default
};
