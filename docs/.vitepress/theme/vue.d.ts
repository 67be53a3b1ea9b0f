/** The types of files that only the bundler reads, for the compiler. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent;
  export default component;
}
declare module '*.css';
