/** A component that is drawn again only if a property changed. */
import { Component, type ComponentType, createElement } from 'preact';

export function memo<Props extends object>(View: ComponentType<Props>) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return Object.entries(next).some(([key, value]) => this.props[key as keyof Props] !== value);
    }
    override render() {
      return createElement(View, this.props);
    }
  };
}
