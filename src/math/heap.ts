/** A binary heap: a queue that gives the first of its elements in an order. */
export class Heap<T> {
  readonly #elements: T[] = [];

  /** @param isBefore the order. It decides between any two elements, or the order of equal ones is not defined. */
  constructor(readonly isBefore: (a: T, b: T) => boolean) {}

  get size(): number {
    return this.#elements.length;
  }

  /** The element that `pop` returns next. */
  get first(): T | undefined {
    return this.#elements[0];
  }

  push(element: T): void {
    const elements = this.#elements;
    let at = elements.push(element) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(element, elements[parent] as T)) break;
      elements[at] = elements[parent] as T;
      at = parent;
    }
    elements[at] = element;
  }

  /** Returns the elements, in no order. */
  all(): readonly T[] {
    return this.#elements;
  }

  pop(): T | undefined {
    const elements = this.#elements;
    const [first] = elements;
    const last = elements.pop();
    if (first === undefined || last === undefined || elements.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= elements.length) break;
      if (child + 1 < elements.length && this.isBefore(elements[child + 1] as T, elements[child] as T))
        child++;
      if (!this.isBefore(elements[child] as T, last)) break;
      elements[at] = elements[child] as T;
      at = child;
    }
    elements[at] = last;
    return first;
  }
}
