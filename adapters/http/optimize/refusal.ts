/** A request that SlimContext refuses with 400. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
