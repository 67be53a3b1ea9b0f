import type { JsonService } from '../json-service.js';
import { modelsIn, notAsTold, propsIn } from './answers.js';

/**
 * The name of a model as the server knows it: its file, else its alias; how many weights it has, their bytes,
 * the size of its vocabulary, and the form of its weights; `?` for what an old server does not tell.
 */
export async function identityOf(service: JsonService, signal: AbortSignal | undefined): Promise<string> {
  const props = propsIn(await service.get('props', signal), service.nameOf('GET', 'props'));
  const models = modelsIn(await service.get('v1/models', signal), service.nameOf('GET', 'v1/models'));
  const model = models.find(({ id }) => id === props.model_alias) ?? models[0];
  const { n_params, size, n_vocab, ftype } = model?.meta ?? {};
  const file = props.model_path?.split(/[/\\]/).at(-1);
  const name = file || props.model_alias || model?.id;
  if (!name) throw notAsTold(service, name, 'tells no name of its model', ['GET', 'props']);
  const parts = [name, n_params, size, n_vocab, ftype ?? props.model_ftype];
  return ['llama-server', ...parts.map((part) => part ?? '?')].join(':');
}
