import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import InspectorFrame from './InspectorFrame.vue';
import LandingPage from './landing/LandingPage.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-before': () => h(LandingPage) }),
  enhanceApp({ app }) {
    app.component('InspectorFrame', InspectorFrame);
  },
} satisfies Theme;
