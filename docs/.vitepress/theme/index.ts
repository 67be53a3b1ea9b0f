import { defineClientComponent, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import LandingPage from './landing/LandingPage.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-before': () => h(LandingPage) }),
  enhanceApp({ app }) {
    app.component(
      'ShapePlayground',
      defineClientComponent(() => import('./playground/ShapePlayground.vue')),
    );
  },
} satisfies Theme;
