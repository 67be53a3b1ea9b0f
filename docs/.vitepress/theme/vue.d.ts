/** What the compiler has to know of files that only the bundler reads. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent;
  export default component;
}
declare module '*.css';
