const _imports_0 = "/plots/evidence.svg";
export {
  _imports_0 as _
};
